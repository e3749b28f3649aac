//! Choices between numbers, moved out of the atoms of clauses ([`crate::logic::Choices`]).
//!
//! A conditional term hides from the engines what a comparison depends on, and costs the solver a
//! variable and clauses about its value. Where its cases are few, the atoms of its cases say the
//! same. Not from a paper.

use super::{SameModel, Transformed};
use crate::chc::System;
use crate::logic::Choices;
use crate::term::Terms;

/// The system with the choices of its clauses moved out of their atoms.
pub(super) fn apply(t: &Terms, system: &System) -> Option<Transformed> {
    let mut choices = Choices::new(t);
    let mut changed = false;
    let clauses = system.clauses.iter().map(|clause| {
        clause.map_terms(|term| {
            let moved = choices.moved_out(term);
            changed |= moved != term;
            moved
        })
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
