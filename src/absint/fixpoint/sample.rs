//! Sampling: concrete states, each derived from one concrete state before it, for equations with
//! products.
//!
//! Where the premise of a clause is one state, products are numbers, and the solver finds the next
//! state at once. From a whole element with products it finds few. An iteration that begins with
//! elements of enough states asks only whether they are closed.
//!
//! Not from a paper.

use super::super::domain::{ClausePost, Domain};
use super::super::equalities::Equalities;
use super::super::space::Point;
use super::Fixpoint;
use crate::chc::{ClauseId, PredId};
use crate::number::Rational;
use crate::smt::{Failure, Limit};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// A clause without premises begins with 5 states more for each number, which is one larger every
/// time: a loop may run as often as the number says. The value was not tuned.
const LARGER: usize = 5;

/// Sampling ends when this many states in a row have led to nothing new for the elements. The value
/// was not tuned.
const PATIENCE: usize = 40;

/// How far sampling is.
#[derive(Default)]
pub struct Frontier {
    /// The clauses without premises that have been applied.
    facts: usize,
    /// States that are still to be followed.
    todo: VecDeque<(PredId, Point)>,
    /// All states that were met.
    met: FxHashSet<(PredId, Vec<Option<Rational>>)>,
    /// How many of the last states have led to nothing new.
    in_vain: usize,
}

impl Fixpoint<'_, Equalities> {
    /// Extends the elements by sampled states, from a frontier on. They are derivable, so
    /// [`Fixpoint::run`] ends with the same elements as without them.
    ///
    /// # Errors
    /// The limit, when it is reached before. Sampling can go on then; it may miss what the clause
    /// derives that was being applied.
    pub fn sample(&mut self, frontier: &mut Frontier, limit: &Limit) -> Result<(), Failure> {
        self.limit = limit.clone();
        let facts = self.system.clauses().filter(|(_, c)| c.body.is_empty());
        let facts: Vec<ClauseId> = facts.map(|(id, _)| id).collect();
        while let Some(&fact) = facts.get(frontier.facts) {
            self.limit.check()?;
            frontier.facts += 1;
            self.step(fact, None, frontier);
        }
        while frontier.in_vain < PATIENCE {
            self.limit.check()?;
            let Some((pred, point)) = frontier.todo.pop_front() else {
                break;
            };
            frontier.in_vain += 1;
            let premise = Equalities::of_point(&self.spaces[pred.index()], &point);
            for id in self.graph.users(pred).to_vec() {
                if self.graph.premises(id).len() == 1
                    && self.step(id, Some((pred, &premise)), frontier)
                {
                    frontier.in_vain = 0;
                }
            }
        }
        Ok(())
    }

    /// Extends the head's element by what a clause derives from a state, or by itself. Answers
    /// whether the element grew.
    fn step(
        &mut self,
        id: ClauseId,
        premise: Option<(PredId, &Equalities)>,
        frontier: &mut Frontier,
    ) -> bool {
        let clause = self.system.clause(id);
        let made = || ClausePost::new(self.t, clause, self.backend, &self.limit);
        let kept = self.posts[id.index()].take();
        let (Some(head), Some(mut post)) = (&clause.head, kept.or_else(made)) else {
            return false;
        };
        post.set_limit(&self.limit);
        let (is_fact, head) = (premise.is_none(), head.pred);
        let (space, element) = (&self.spaces[head.index()], &mut self.elements[head.index()]);
        post.enter(premise.map(|(pred, element)| (element, &self.spaces[pred.index()])));
        let mut points = Vec::new();
        while let Ok(Some((point, _))) = post.outside(element, space, |_| ()) {
            element.join(&Equalities::of_point(space, &point), space);
            points.push(point);
        }
        let grew = !points.is_empty();
        if !grew {
            // The element has the state, but elements of later predicates may lack what follows.
            points.extend(post.state(space, None));
        }
        for &column in space.numbers().iter().filter(|_| is_fact) {
            for _ in 0..LARGER {
                let values = points.iter().filter_map(|p| p.coordinate(column));
                let largest = values.max().cloned();
                let above = largest.as_ref().map(|largest| (column, largest));
                let Some(point) = above.and_then(|above| post.state(space, Some(above))) else {
                    break;
                };
                element.join(&Equalities::of_point(space, &point), space);
                points.push(point);
            }
        }
        post.leave();
        for point in points {
            let columns = space.columns(false).chain(space.columns(true));
            let state = columns.map(|x| point.coordinate(x).cloned()).collect();
            if frontier.met.insert((head, state)) {
                frontier.todo.push_back((head, point));
            }
        }
        if self.graph.is_recursive(head) {
            self.posts[id.index()] = Some(post);
        }
        grew
    }
}
