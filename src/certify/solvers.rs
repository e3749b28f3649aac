//! Where the checker takes its solvers from.

use crate::smt::Solver;

/// Makes solvers over the terms of the system's store. The checker takes one for some clauses after
/// the other, and others for lemmas, for a clause that the first does not decide, and for cases.
pub type SolverFactory<'a> = dyn FnMut() -> Box<dyn Solver + 'a> + 'a;
