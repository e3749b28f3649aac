//! K-induction with continuously refined invariants: Algorithm 3 of \[BDW18\]. Without its step
//! case it is bounded model checking.
//!
//! ```text
//! for k = 1, 2, 3, …:
//!   base case                                                                 -- lines 6 to 11
//!     has false a derivation within the bound k?                       yes → unsat
//!   forward condition                                                         -- lines 12 to 14
//!     is there a derivation beyond the bound?                          no → sat
//!   step case                                                                 -- lines 15 to 23
//!     has false one that is a step longer, and good before the last?   no → sat
//!     the invariants are stronger now:  the step case once more
//! ```
//!
//! The states of blocks that never end, merged where paths meet, are the nodes of an unrolling. The
//! engines have unrollings of several kinds, and [`Unrolled`] is what the algorithm asks of each.
//!
//! DIVERGENCE: the paper asks the forward condition by a query. Where derivations grow backwards
//! from `false`, the core of another case says it: if that case has no solution whatever is
//! assumed, then no derivation of `false` is longer.

use super::configuration::{Configuration, Driver};
use crate::chc::{Answer, Model, Refutation, UnknownReason};
use crate::engine::Case;
use crate::smt::Failure;

/// Derivations of `false` up to a bound that grows, in one solver.
pub(in crate::engine) trait Unrolled {
    /// Begins the checks of the present bound, and says where the run is.
    ///
    /// # Errors
    /// The bound, or another limit of the run, is exceeded.
    fn begin(&mut self) -> Result<(), UnknownReason>;

    /// The base case: has `false` a derivation within the bound?
    ///
    /// # Errors
    /// The solver has no answer.
    fn base_case(&mut self) -> Result<bool, Failure>;

    /// After a base case without a derivation, the forward condition: is no derivation beyond the
    /// bound?
    ///
    /// # Errors
    /// The solver has no answer.
    fn forward_condition(&mut self) -> Result<bool, Failure>;

    /// Makes the unrolling one step longer.
    ///
    /// # Errors
    /// The unrolling is too large, or another limit of the run is reached.
    fn expand(&mut self) -> Result<(), UnknownReason>;

    /// The step case of the unrolling, which is one step longer than the bound: which case proves
    /// the system, if one does? It is the forward condition if nothing had to be assumed. A row
    /// without a step case does not ask.
    ///
    /// # Errors
    /// The solver has no answer.
    fn step_case(&mut self) -> Result<Option<Case>, Failure> {
        Ok(None)
    }

    /// Lets the generator of invariants go on: are the invariants stronger now? Without a generator
    /// they never are.
    ///
    /// # Errors
    /// A limit of the run is reached.
    fn strengthen(&mut self) -> Result<bool, Failure> {
        Ok(false)
    }

    /// Takes notice of the case that decides the system.
    fn decide(&mut self, case: Case);

    /// The derivation that the base case found.
    ///
    /// # Errors
    /// The solver has no values.
    fn refutation(&mut self) -> Result<Refutation, UnknownReason>;

    /// A model, after the forward condition or the step case proved the system.
    ///
    /// # Errors
    /// The model cannot be made, or not within the limits of the run.
    fn model(&mut self) -> Result<Model, UnknownReason>;
}

/// Decides a system by its unrolling; or says why there is no verdict.
///
/// # Panics
/// If the row's algorithm is another one.
pub(in crate::engine) fn k_induction(
    row: &Configuration,
    unrolled: &mut dyn Unrolled,
) -> Result<Answer, UnknownReason> {
    let Driver::KInduction { step_case } = row.driver else {
        panic!("the algorithm of {} is another one", row.name)
    };
    loop {
        unrolled.begin()?;
        if unrolled.base_case()? {
            unrolled.decide(Case::Base);
            return Ok(Answer::Unsat(unrolled.refutation()?));
        }
        let mut proof = unrolled.forward_condition()?.then_some(Case::Forward);
        if proof.is_none() {
            unrolled.expand()?;
        }
        if step_case && proof.is_none() {
            proof = unrolled.step_case()?;
            while proof.is_none() && unrolled.strengthen()? {
                proof = unrolled.step_case()?;
            }
        }
        if let Some(case) = proof {
            unrolled.decide(case);
            return Ok(Answer::Sat(unrolled.model()?));
        }
    }
}
