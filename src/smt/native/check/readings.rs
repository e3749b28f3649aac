//! What the checker has found of terms, which is the same for every proof.

use super::bounds::Bounds;
use super::parts::Parts;
use super::{Checker, ProofError};
use crate::smt::native::proof::Proof;
use crate::term::{Term, TermMap, Terms};
use std::cell::RefCell;

/// What the checker has found of terms. Proofs of queries to one context are about the same
/// formulas, so each of them starts with what the proofs before have left. It is about as large as
/// these formulas and the bounds in the proofs, which the search of the context holds as well.
#[derive(Default)]
pub struct Readings {
    pub(super) bounds: RefCell<Bounds>,
    pub(super) parts: RefCell<Parts>,
    /// What was found by [`Checker::cases`].
    pub(super) cases: RefCell<TermMap<Option<[Term; 3]>>>,
}

impl Readings {
    /// As [`check`](super::check), for one of several proofs over the same terms.
    ///
    /// # Errors
    /// A step does not hold, or the last one is no contradiction.
    pub fn check(
        &mut self,
        t: &Terms,
        assertions: &[Term],
        assumptions: &[Term],
        proof: &Proof,
    ) -> Result<(), ProofError> {
        let mut checker = Checker::new(t, assertions, proof);
        checker.readings = std::mem::take(self);
        let result = checker.accepts(assumptions);
        *self = checker.readings;
        result
    }
}
