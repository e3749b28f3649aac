//! Where the checker takes its solvers from.

use crate::smt::Solver;

/// Makes solvers over the terms of the system's store. The checker needs one, and others only where
/// that does not decide a clause or where premises have quantifiers.
pub type SolverFactory<'a> = dyn FnMut() -> Box<dyn Solver + 'a> + 'a;
