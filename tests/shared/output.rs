//! What a program says to an input.

use crate::program::{start, text};
use horn::smt::find_solver;
use std::process::Output;

pub(crate) fn run(args: &[&str], input: &str) -> Output {
    start(args, input)
        .wait_with_output()
        .expect("the program runs")
}

/// Is there a solver to test with? There must be, unless the one who runs the tests excuses it.
pub(crate) fn solver_found() -> bool {
    let found = find_solver(None).is_ok();
    let excused = std::env::var("HORN_TESTS_WITHOUT_SOLVERS").is_ok_and(|v| v == "1");
    assert!(
        found || excused,
        "these tests need an SMT solver: run scripts/setup, or set HORN_TESTS_WITHOUT_SOLVERS=1"
    );
    found
}

/// Exact standard output, something that standard error contains, and the status.
#[track_caller]
pub(crate) fn check(args: &[&str], input: &str, stdout: &str, stderr: &str, status: i32) {
    let output = run(args, input);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(out, stdout, "standard error: {err}");
    assert!(err.contains(stderr), "standard error: {err}");
    assert_eq!(output.status.code(), Some(status), "standard error: {err}");
}
