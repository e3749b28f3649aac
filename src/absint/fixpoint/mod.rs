//! The least elements that the clauses allow, from below.
//!
//! Bourdoncle's recursive strategy \[Bou93\]: the predicates are visited in a weak topological
//! order, and a loop is repeated until its head does not change. Elements are widened at loop heads
//! only; that ends, since each cycle has one.

mod sample;

pub use sample::Frontier;

use super::domain::{ClausePost, Domain, Growth};
use super::space::Space;
use crate::chc::{ClauseId, PredGraph, PredId, System};
use crate::smt::{Backend, Failure, Limit};
use crate::term::Terms;
use std::borrow::Cow;

/// Closed elements of domains that grow by paths are made smaller in at most 2 sweeps over the
/// predicates. The value was not tuned.
const SWEEPS: u32 = 2;

/// Elements that are closed under the clauses, by predicate; each of its predicate's space.
///
/// # Errors
/// The limit, when it is reached before the elements are closed.
pub fn fixpoint<D: Domain>(
    t: &Terms,
    system: &System,
    spaces: Vec<Space>,
    backend: &Backend,
    limit: &Limit,
) -> Result<Vec<D>, Failure> {
    let mut fixpoint = Fixpoint::new(t, Cow::Borrowed(system), spaces, backend);
    fixpoint.run(limit)?;
    Ok(fixpoint.elements)
}

/// An iteration, which can go on after it was ended by a limit.
///
/// Invariant: if no clause is open, the elements are closed under the clauses.
pub struct Fixpoint<'a, D> {
    t: &'a Terms,
    system: Cow<'a, System>,
    backend: &'a Backend,
    limit: Limit,
    /// The space of each predicate, by its index, as are the elements.
    spaces: Vec<Space>,
    graph: PredGraph,
    /// The number of each predicate's strongly connected component, by its index.
    components: Vec<usize>,
    elements: Vec<D>,
    /// May each clause, by its index, derive what its head's element does not have?
    is_open: Vec<bool>,
    /// The solver of each clause inside of a loop that is being repeated, by its index. It lives
    /// until the loop is left.
    posts: Vec<Option<ClausePost<'a>>>,
    /// How often each predicate's element grew, by its index.
    growths: Vec<u32>,
    /// Sweeps of [`Fixpoint::narrow`] that are left.
    sweeps: u32,
    /// How many predicates the present sweep has visited, and whether it changed an element.
    swept: (usize, bool),
}

impl<'a, D: Domain> Fixpoint<'a, D> {
    /// An iteration that has not begun.
    pub fn new(
        t: &'a Terms,
        system: Cow<'a, System>,
        spaces: Vec<Space>,
        backend: &'a Backend,
    ) -> Self {
        let graph = PredGraph::new(&system);
        let mut components = vec![0; spaces.len()];
        for (number, component) in graph.order().components().enumerate() {
            component
                .iter()
                .for_each(|p| components[p.index()] = number);
        }
        Fixpoint {
            t,
            backend,
            limit: Limit::default(),
            graph,
            components,
            elements: spaces.iter().map(D::bottom).collect(),
            growths: vec![0; spaces.len()],
            spaces,
            is_open: vec![true; system.clauses.len()],
            posts: system.clauses.iter().map(|_| None).collect(),
            sweeps: if D::BY_PATHS { SWEEPS } else { 0 },
            swept: (0, false),
            system,
        }
    }

    /// The elements, by predicate. They are closed after a run without an error.
    pub fn elements(&self) -> &[D] {
        &self.elements
    }

    /// The spaces of the elements, by predicate.
    pub fn spaces(&self) -> &[Space] {
        &self.spaces
    }

    /// Goes on until the elements are closed and made smaller.
    ///
    /// # Errors
    /// The limit, when it is reached before.
    pub fn run(&mut self, limit: &Limit) -> Result<(), Failure> {
        self.limit = limit.clone();
        self.ascend()?;
        debug_assert!(
            (self.system.clauses()).all(|(id, c)| c.is_query() || !self.is_open[id.index()]),
            "the elements are closed under the clauses"
        );
        while self.sweeps > 0 {
            self.narrow()?;
            self.sweeps = if self.swept.1 { self.sweeps - 1 } else { 0 };
            self.swept = (0, false);
        }
        Ok(())
    }

    /// Closes all clauses.
    fn ascend(&mut self) -> Result<(), Failure> {
        let order = self.graph.order().clone();
        // The loops around the present place, outer ones first.
        let mut around = Vec::new();
        let mut place = 0;
        loop {
            if let Some(l) = around.last().map(|&l: &usize| &order.loops()[l])
                && place == l.range.end
            {
                if self.close_all(l.head)? {
                    place = l.range.start + 1;
                    continue;
                }
                around.pop();
                if around.is_empty() {
                    self.drop_solvers(&order.preds()[l.range.clone()]);
                }
                continue;
            }
            let Some(&pred) = order.preds().get(place) else {
                return Ok(());
            };
            let starts = |l: &crate::chc::Loop| l.range.start == place;
            if let Ok(l) = order
                .loops()
                .binary_search_by_key(&place, |l| l.range.start)
            {
                debug_assert!(starts(&order.loops()[l]), "found by its beginning");
                around.push(l);
            }
            self.close_all(pred)?;
            place += 1;
        }
    }

    /// A sweep of a descending iteration: what all clauses of a predicate derive from the present
    /// elements takes the place of its element where it is smaller. The elements stay closed: what
    /// clauses derive from smaller elements is not larger.
    fn narrow(&mut self) -> Result<(), Failure> {
        let order = self.graph.order().preds().to_vec();
        while let Some(&pred) = order.get(self.swept.0) {
            let index = pred.index();
            let mut derived = D::bottom(&self.spaces[index]);
            for id in self.graph.definitions(pred).to_vec() {
                self.post(id, &mut derived, pred, Growth::Join)?;
            }
            let (space, element) = (&self.spaces[index], &mut self.elements[index]);
            if derived.le(element, space) && !element.le(&derived, space) {
                *element = derived;
                self.swept.1 = true;
            }
            self.swept.0 += 1;
        }
        Ok(())
    }

    /// Closes the clauses that derive a predicate until none is open. Answers whether its element
    /// grew.
    fn close_all(&mut self, pred: PredId) -> Result<bool, Failure> {
        let definitions = self.graph.definitions(pred).to_vec();
        let mut grew = false;
        while let Some(&id) = definitions.iter().find(|id| self.is_open[id.index()]) {
            self.is_open[id.index()] = false;
            if self.close(id, pred)? {
                grew = true;
                for &user in self.graph.users(pred) {
                    // What a clause derives of itself was looked at again before it was closed.
                    self.is_open[user.index()] = true;
                }
            }
        }
        Ok(grew)
    }

    /// Adds to the head's element what a clause derives. Answers whether the element grew.
    fn close(&mut self, id: ClauseId, head: PredId) -> Result<bool, Failure> {
        let index = head.index();
        let growth = match self.graph.is_loop_head(head) && self.growths[index] >= D::DELAY {
            true => Growth::Widen,
            false => Growth::Join,
        };
        let mut element = self.elements[index].clone();
        let grew = self.post(id, &mut element, head, growth);
        match &grew {
            Ok(grew) => {
                self.elements[index] = element;
                self.growths[index] += u32::from(*grew);
            }
            // The clause is visited again if the iteration goes on.
            Err(_) => self.is_open[id.index()] = true,
        }
        grew
    }

    /// Adds what a clause derives to an element of its head's space. Answers whether the element
    /// grew.
    fn post(
        &mut self,
        id: ClauseId,
        into: &mut D,
        head: PredId,
        growth: Growth,
    ) -> Result<bool, Failure> {
        let premises = self.graph.premises(id);
        if premises
            .iter()
            .any(|p| self.elements[p.index()].is_bottom())
        {
            return Ok(false);
        }
        let kept = self.posts[id.index()].take();
        let made = || ClausePost::new(self.t, self.system.clause(id), self.backend, &self.limit);
        let Some(mut post) = kept.or_else(made) else {
            return Ok(false);
        };
        post.set_limit(&self.limit);
        let of_head = self.components[head.index()];
        post.set_in_loop(
            premises
                .iter()
                .any(|p| self.components[p.index()] == of_head),
        );
        let premises = premises.iter().map(|p| p.index());
        let premises: Vec<(&D, &Space)> = premises
            .map(|p| (&self.elements[p], &self.spaces[p]))
            .collect();
        let space = &self.spaces[head.index()];
        let before = into.clone();
        let grew = match into.post(space, &mut post, &premises, growth) {
            // What no solver decides derives anything.
            Err(Failure::Incomplete(_) | Failure::Unsupported(_)) if D::TOP_IF_UNDECIDED => {
                *into = D::top(space);
                Ok(!into.le(&before, space))
            }
            grew => grew,
        };
        if self.graph.is_recursive(head) {
            self.posts[id.index()] = Some(post);
        }
        grew
    }

    /// A loop is done: its clauses are not visited again.
    fn drop_solvers(&mut self, preds: &[PredId]) {
        for &pred in preds {
            for id in self.graph.definitions(pred) {
                self.posts[id.index()] = None;
            }
        }
    }
}
