//! The independent checker of certificates.
//!
//! - [`check_model`]: every clause holds under the model's interpretations; one satisfiability question a clause.
//! - [`check_refutation`]: the derivation of `false` is one; by evaluation of ground terms alone, no solver.
//!
//! Invariant: this module uses `number`, `term`, `chc` and the contract of `smt`, nothing that takes part in finding
//! answers, so that a fault there cannot make a wrong certificate pass. A test (`tests/it/wall.rs`) reads the sources for that.
//!
//! What it trusts: the builders and the evaluator of `term`, and for models the solver that it is given. A model that must
//! not depend on one solver is checked with several.

mod general;
mod model;
mod refutation;

pub use model::{Flaw, ModelError, SolverFactory, check_model};
pub use refutation::{Conclusion, RefutationError, RefutationFlaw, check_refutation, conclusions};
