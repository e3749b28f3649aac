//! Choices between numbers, moved out of the atoms of clauses ([`crate::term::Choices`]).
//!
//! Conditional terms hide from the engines what a clause depends on: an equation with one is solved
//! for a variable, but its cases become literals of cubes only one by one. After this pass a clause
//! is a Boolean combination of atoms that compare variables. Not from a paper.

use super::{SameModel, Transformed};
use crate::chc::{Clause, System};

use crate::term::{Choices, Terms};

/// The system with the choices of its clauses moved out of their atoms.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let mut choices = Choices::new(t);
    let mut changed = false;
    let clauses = system.clauses.iter().map(|clause| {
        let constraint = choices.moved_out(clause.constraint);
        changed |= constraint != clause.constraint;
        Clause {
            constraint,
            ..clause.clone()
        }
    });
    let clauses = clauses.collect();
    if !changed {
        return None;
    }
    let new = System {
        preds: system.preds.clone(),
        clauses,
    };
    let sources = system.clauses().map(|(id, _)| id);
    Some(Transformed::clause_wise(new, sources, SameModel))
}
