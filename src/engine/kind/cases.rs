//! What k-induction asks of an unrolling, whatever the derivations are.

use super::unrolling::Unrolling;
use super::{Options, certificate};
use crate::chc::{Model, Refutation, UnknownReason};
use crate::engine::Context;
use crate::smt::{Failure, Limit, Solver};
use crate::term::Term;

/// Derivations of `false` of growing length, backwards from `false`, in one solver.
pub(super) trait Cases<'t> {
    /// The solver, which has the formulas of the unrolling.
    fn solver(&mut self) -> &mut (dyn Solver + 't);

    /// The greatest distance of the unrolling from `false`.
    fn length(&self) -> u32;

    /// Assumes the invariants of all facts, those of longer derivations included.
    fn assume(&mut self, invariants: &Model);

    /// The assumption of a base case: the unrolling ends at facts.
    fn base(&mut self) -> Term;

    /// The assumption of step cases: at every distance from 2 on, facts are good.
    fn good(&self) -> Term;

    /// The assumption of all cases that the invariants hold.
    fn known(&self) -> Term;

    /// Makes the unrolling one step longer.
    ///
    /// # Errors
    /// The limit is reached, or the unrolling is too large.
    fn expand(&mut self, limit: &Limit) -> Result<(), Failure>;

    /// The derivation in the solver's model, after a base case that has one.
    ///
    /// # Errors
    /// The solver has no values.
    fn refutation(&mut self) -> Result<Refutation, Failure>;

    /// A model, if the step case of this length has no derivation, and no base case of a smaller
    /// length has one.
    ///
    /// # Errors
    /// The contradictions have no interpolants, or the model would be too large, or the limit is
    /// reached.
    fn model(&self, options: &Options, context: &Context<'t>) -> Result<Model, UnknownReason>;
}

/// Paths, where no clause has several premises.
impl<'t> Cases<'t> for Unrolling<'_, 't> {
    fn solver(&mut self) -> &mut (dyn Solver + 't) {
        &mut *self.solver
    }

    fn length(&self) -> u32 {
        Unrolling::length(self)
    }

    fn assume(&mut self, invariants: &Model) {
        Unrolling::assume(self, invariants);
    }

    fn base(&mut self) -> Term {
        self.start()
    }

    fn good(&self) -> Term {
        self.good
    }

    fn known(&self) -> Term {
        self.valid
    }

    fn expand(&mut self, limit: &Limit) -> Result<(), Failure> {
        Unrolling::expand(self, limit)
    }

    fn refutation(&mut self) -> Result<Refutation, Failure> {
        Unrolling::refutation(self)
    }

    fn model(&self, options: &Options, context: &Context<'t>) -> Result<Model, UnknownReason> {
        certificate::model(self, options, context)
    }
}
