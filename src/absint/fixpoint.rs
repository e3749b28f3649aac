//! The least elements that the clauses allow, from below.
//!
//! Bourdoncle's recursive strategy \[Bou93\]: the predicates are visited in a weak topological
//! order, and a loop is repeated until its head does not change. Elements are widened at loop heads
//! only; that ends, since each cycle has one.

use super::domain::{ClausePost, Domain, Growth};

use super::space::Space;
use crate::chc::{ClauseId, PredGraph, PredId, System};
use crate::smt::{Backend, Failure, Limit};
use crate::term::Terms;

/// Elements that are closed under the clauses, by predicate; each of its predicate's space.
///
/// # Errors
/// A solver's failure, or the limit, when it is reached before the elements are closed.
pub fn fixpoint<D: Domain>(
    t: &Terms,
    system: &System,
    spaces: &[Space],
    backend: &Backend,
    limit: &Limit,
) -> Result<Vec<D>, Failure> {
    let mut iteration = Iteration {
        t,
        system,
        backend,
        limit,
        spaces,
        graph: PredGraph::new(system),
        elements: spaces.iter().map(D::bottom).collect(),
        is_open: vec![true; system.clauses.len()],
        posts: system.clauses.iter().map(|_| None).collect(),
    };
    iteration.run()?;
    Ok(iteration.elements)
}

struct Iteration<'a, D> {
    t: &'a Terms,
    system: &'a System,
    backend: &'a Backend,
    limit: &'a Limit,
    /// The space of each predicate, by its index, as are the elements.
    spaces: &'a [Space],
    graph: PredGraph,
    elements: Vec<D>,
    /// May each clause, by its index, derive what its head's element does not have?
    is_open: Vec<bool>,
    /// The solver of each clause inside of a loop that is being repeated, by its index. It lives
    /// until the loop is left.
    posts: Vec<Option<ClausePost<'a>>>,
}

impl<D: Domain> Iteration<'_, D> {
    fn run(&mut self) -> Result<(), Failure> {
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
        let system = self.system;
        let premises = self.graph.premises(id);
        if premises
            .iter()
            .any(|p| self.elements[p.index()].is_bottom())
        {
            return Ok(false);
        }
        let growth = match self.graph.is_loop_head(head) {
            true => Growth::Widen,
            false => Growth::Join,
        };
        let kept = self.posts[id.index()].take();
        let made = || ClausePost::new(self.t, system.clause(id), self.backend, self.limit);
        let Some(mut post) = kept.or_else(made) else {
            return Ok(false);
        };
        let mut element = self.elements[head.index()].clone();
        let premises = premises.iter().map(|p| p.index());
        let premises: Vec<(&D, &Space)> = premises
            .map(|p| (&self.elements[p], &self.spaces[p]))
            .collect();
        let grew = element.post(&self.spaces[head.index()], &mut post, &premises, growth)?;
        self.elements[head.index()] = element;
        if self.graph.is_recursive(head) {
            self.posts[id.index()] = Some(post);
        }
        Ok(grew)
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
