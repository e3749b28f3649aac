//! Satisfiability modulo theories: the contract of a solver, and the solvers that keep it.
//!
//! A solver is a stack of assertions, and decides whether they are satisfiable together with some
//! assumptions. The contract is small and formal:
//!
//! - `assert` and `push`/`pop` change the stack and nothing else. They do not fail: a back end that
//!   breaks reports it at the next `check`.
//! - `check` answers about exactly the assertions on the stack and the assumptions given, or
//!   `Unknown`. It ends within its limit.
//! - After `Sat`, until the stack changes, `values` evaluates terms in one fixed model of the
//!   assertions and assumptions.
//! - After `Unsat`, until the stack changes, `core` is a subset of the assumptions that is
//!   contradictory with the assertions.
//!
//! This module knows nothing of Horn clauses.
//!
//! ```
//! use horn::smt::native::NativeOptions;
//! use horn::smt::{Backend, SatResult};
//! use horn::term::{Sort, Terms, Value};
//!
//! let t = Terms::new();
//! let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
//! let backend = Backend::native(NativeOptions::for_engines());
//! let mut solver = backend.solver(&t, "example");
//! solver.assert(t.lt(x, y));
//! let (at_most, at_least) = (t.le(y, t.int(3)), t.ge(x, t.int(2)));
//! assert_eq!(solver.check(format_args!("x < y"), &[at_most, at_least]), SatResult::Sat);
//! assert_eq!(solver.values(&[x]), Ok(vec![Value::Number(2.into())]));
//!
//! // The core is a part of the assumptions that is contradictory with the assertions.
//! let (three, zero) = (t.eq(x, t.int(3)), t.ge(x, t.int(0)));
//! let assumptions = [at_most, three, zero];
//! assert_eq!(solver.check(format_args!("x = 3"), &assumptions), SatResult::Unsat);
//! let core = solver.core().expect("after unsat");
//! assert!(core.contains(&at_most) && core.contains(&three));
//! ```

mod backend;
mod budget;
mod commands;
mod dump;
mod find;
mod follow;
mod interpolation;
mod ledger;
mod limit;
pub mod native;
pub mod process;
mod record;
mod router;
mod script;
mod sources;
mod statistics;
mod symbols;

use crate::term::{Term, Value};
use std::fmt;

pub use backend::{Backend, BackendError};
pub use budget::Budget;
pub use find::{SolverChoice, SolverNotFound, find_solver};
pub use interpolation::{
    Interpolant, InterpolationOptions, InterpolationSource, Interpolator, NoInterpolants, PartId,
    PartTree, Strength,
};
pub use ledger::{Counts, Row};
pub use limit::{CancelToken, Limit};
pub use native::Support;
pub use statistics::{ProcessCounts, Statistics};
pub(crate) use symbols::{Symbols, only_shared};

/// An answer to a satisfiability question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatResult {
    /// There is a model.
    Sat,
    /// There is no model.
    Unsat,
    /// The solver did not decide it.
    Unknown(Failure),
}

/// Why a solver did not answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// The deadline of the limit passed.
    #[error("timeout")]
    Timeout,
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The solver answered `unknown`, with this reason.
    #[error("the solver gave up: {0}")]
    Incomplete(String),
    /// The solver does not support formulas of this kind.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// The solver died, did not start, or did not keep to the protocol.
    #[error("the solver failed: {0}")]
    Broken(String),
}

/// An incremental solver over the terms of one store; see the module's documentation for the
/// contract.
pub trait Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Drops the assertions of the innermost scope, which must be open.
    fn pop(&mut self);

    /// Adds a formula to the innermost scope.
    fn assert(&mut self, formula: Term);

    /// From now on queries are booked for this purpose, which is a row of [`Statistics`]. Before
    /// that the purpose is the solver's name. It changes no answer.
    fn set_purpose(&mut self, purpose: &'static str) {
        let _ = purpose;
    }

    /// Are the assertions and the `assumptions`, which may be any formulas, satisfiable together?
    ///
    /// `about` says in a sentence which formula of the algorithm is decided; it goes into traces.
    fn check(&mut self, about: fmt::Arguments<'_>, assumptions: &[Term]) -> SatResult;

    /// The values of `terms` in the model that the last `check` found, which must have answered
    /// `Sat`.
    fn values(&mut self, terms: &[Term]) -> Result<Vec<Value>, Failure>;

    /// The assumptions used, after the last `check` answered `Unsat`: a subset of those given, not
    /// necessarily minimal.
    fn core(&mut self) -> Result<Vec<Term>, Failure>;

    /// After the last `check` answered `Unsat`: an interpolant between `cube`, which is a part of
    /// the assumptions, and everything else.
    ///
    /// The answer is the conjuncts of a formula `W` such that `cube ⇒ W`, and `W` with the
    /// assertions and the other assumptions is unsatisfiable. `¬W` is a stronger lemma than
    /// `¬cube`. The answer is `None` if the solver does not offer it, or if `W` would be the cube.
    fn weaken(&mut self, cube: &[Term]) -> Option<Vec<Term>> {
        let _ = cube;
        None
    }

    /// From now on every check ends within this limit.
    fn set_limit(&mut self, limit: Limit);
}
