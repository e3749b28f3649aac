//! The independent checker of certificates.
//!
//! - [`check_model`]: every clause holds under the model's interpretations. It asks one
//!   satisfiability query for each clause and conjunct, except where a conjunct can be seen to
//!   follow from a single premise or from equations of bit-vectors (`obvious`, `words`), is the
//!   image of another one under a symmetry of the premises (`symmetric`), or is hard and has cases
//!   (`cases`). A conjunct that speaks of no parameter is proved by structural induction first, and
//!   then is a premise of every clause (`induction`).
//! - [`check_refutation`]: the refutation derives `false`. It evaluates ground terms and uses no
//!   solver. A loop that is not written out is checked for all its iterations at once, by terms
//!   over arithmetic progressions (`iteration`, `progression`).
//!
//! Invariant: this module uses `work`, `number`, `term`, `chc` and the contract of `smt`, no engine
//! and no pass, so that a fault there cannot make a wrong certificate pass. A test
//! (`tests/it/wall.rs`) reads the sources for that.
//!
//! What it trusts: `number`, the builders and the evaluator of `term`, and for models the solver
//! that it is given and the comparison of renamed formulas in `term::Symmetries`. A model that must
//! not depend on one solver is checked with several solvers, as it is written. The reading of
//! bit-vectors as integers (`term::intblast`), by which models are found too, is compared with
//! evaluation before it is used (`integers`).

mod accepted;
mod cases;
mod clause;
mod completion;
mod definitions;
mod form;
mod induction;
mod instances;
mod integers;
mod iteration;
mod model;
mod model_error;
mod obvious;
mod progression;
mod recursion;
mod refutation;
mod solvers;
mod symmetric;
mod words;

pub use accepted::Accepted;
pub use instances::contradictory_instances;
pub use iteration::{IterationFlaw, StepFlaw};
pub use model::{check_model, check_model_again, check_model_as_written};
pub use model_error::{Counterexample, Flaw, ModelError};
pub use refutation::{Conclusion, RefutationError, RefutationFlaw, check_refutation, conclusions};
pub use solvers::SolverFactory;
