//! What was shown once is not asked again.

use crate::term::{Term, TermSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Implications between formulas that a solver has confirmed. A model that is found again, by
/// another engine or by another way back through the passes, has mostly the same ones.
///
/// Invariant: each conclusion here follows from its premises, whatever system they are from.
#[derive(Debug, Default)]
pub struct Accepted {
    known: RefCell<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Sets of premises, in ascending order, by number.
    premises: FxHashMap<Box<[Term]>, u32>,
    /// Conclusions with the number of their premises.
    conclusions: FxHashSet<(u32, Term)>,
}

impl Accepted {
    /// The number of a set of premises.
    pub(super) fn number(&self, premises: &[Term]) -> u32 {
        let distinct: TermSet = premises.iter().copied().collect();
        let mut sorted: Vec<Term> = distinct.into_iter().collect();
        sorted.sort_unstable();
        let premises = &mut self.known.borrow_mut().premises;
        let next = u32::try_from(premises.len()).expect("fewer than 2^32 sets of premises");
        *premises.entry(sorted.into()).or_insert(next)
    }

    /// Was it confirmed that a conclusion follows from the premises with this number?
    pub(super) fn has(&self, premises: u32, conclusion: Term) -> bool {
        let known = self.known.borrow();
        known.conclusions.contains(&(premises, conclusion))
    }

    /// A solver has confirmed that a conclusion follows from the premises with this number.
    pub(super) fn add(&self, premises: u32, conclusion: Term) {
        let conclusions = &mut self.known.borrow_mut().conclusions;
        conclusions.insert((premises, conclusion));
    }
}
