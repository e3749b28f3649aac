//! What not every back end can do, beyond the contract of `smt::Solver`: proofs and interpolants.

use crate::session::Refusal;
use horn::smt::{Backend, Limit, Solver};
use horn::term::{Term, Terms};

/// The proof of the contradiction that the solver has just found, as text.
///
/// # Errors
/// Why there is none.
pub(crate) fn proof(backend: &Backend, _solver: &mut dyn Solver) -> Result<String, Refusal> {
    match backend {
        Backend::Process(_) => Err(Refusal::Unsupported("external solvers give no proofs")),
    }
}

/// Interpolants between contradictory parts, one fewer than these.
///
/// # Errors
/// Why there are none.
pub(crate) fn interpolants(
    backend: &Backend,
    _t: &Terms,
    _parts: &[Vec<Term>],
    _limit: &Limit,
) -> Result<Vec<Term>, Refusal> {
    match backend {
        Backend::Process(_) => Err(Refusal::Unsupported(
            "external solvers give no interpolants",
        )),
    }
}
