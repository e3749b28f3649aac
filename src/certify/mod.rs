//! The independent checker of certificates.
//!
//! - [`check_model`]: every clause holds under the model's interpretations. It asks one
//!   satisfiability query for each clause and conjunct.
//! - [`check_refutation`]: the refutation derives `false`. It evaluates ground terms and uses no
//!   solver.
//!
//! Invariant: this module uses `number`, `term`, `chc` and the contract of `smt`, nothing that
//! takes part in finding answers, so that a fault there cannot make a wrong certificate pass. A
//! test (`tests/it/wall.rs`) reads the sources for that.
//!
//! What it trusts: the builders and the evaluator of `term`, and for models the solver that it is
//! given and the reading of bit-vectors as integers (`term::intblast`). A model that must not
//! depend on one solver is checked with several solvers, and as it is written.

mod completion;
mod general;
mod instances;
mod model;
mod refutation;
mod solvers;

pub use model::{Flaw, ModelError, check_model, check_model_as_written};
pub use refutation::{Conclusion, RefutationError, RefutationFlaw, check_refutation, conclusions};
pub use solvers::SolverFactory;
