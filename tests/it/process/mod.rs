//! External solvers: the contract of `smt::Solver`, kept by real solvers and towards fake ones that
//! misbehave.
//!
//! The real ones are found as the program finds them. Where there is none the tests fail, unless
//! `HORN_TESTS_WITHOUT_SOLVERS=1` is set.

mod agreement;
mod contract;
mod faults;
mod interpolants;
mod rsmt2;
mod sorts;

use crate::solvers::solver_found;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, SatResult, Solver, find_solver};
use horn::term::Term;

/// A back end for each known solver that is installed.
fn backends(options: &ProcessOptions) -> Vec<(&'static str, Backend)> {
    let found: Vec<_> = ["z3", "cvc5"]
        .into_iter()
        .filter_map(|name| {
            let choice = find_solver(Some(name)).ok()?;
            let backend = Backend::process(&choice, options.clone()).expect("a back end");
            Some((name, backend))
        })
        .collect();
    solver_found(Some("z3"));
    found
}

fn check(s: &mut dyn Solver, assumptions: &[Term]) -> SatResult {
    s.check(format_args!("a test"), assumptions)
}
