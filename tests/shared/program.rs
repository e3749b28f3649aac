//! A program as a user meets it: arguments and input, then standard output, standard error and exit status.
//!
//! Which program is said by `PROGRAM` of the tests that take this in.
#![allow(dead_code, reason = "each test takes what it needs")]

use crate::PROGRAM;
use horn::smt::find_solver;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

pub(crate) fn start(args: &[&str], input: &str) -> Child {
    let mut child = command(args).spawn().expect("the program is built");
    // It may end before it has read everything.
    let _ = child
        .stdin
        .take()
        .expect("piped")
        .write_all(input.as_bytes());
    child
}

pub(crate) fn run(args: &[&str], input: &str) -> Output {
    start(args, input)
        .wait_with_output()
        .expect("the program runs")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
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

/// Nobody decides this within seconds: the product of two numbers above 1 is never one of these primes.
pub(crate) const HARD: &str = "(set-logic HORN)
(declare-fun p (Int Int Int Int) Bool)
(assert (forall ((a Int) (b Int)) (=> (and (> a 1) (> b 1)) (p a b 0 0))))
(assert (forall ((a Int) (b Int) (i Int) (s Int)) (=> (and (p a b i s) (< i a)) (p a b (+ i 1) (+ s b)))))
(assert (forall ((a Int) (b Int) (i Int) (s Int)) (=> (and (p a b i s) (= i a) (= s 1000003)) false)))
(check-sat)
";
