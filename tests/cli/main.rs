//! The command line, as a user meets it: arguments and input, then standard output, standard error and exit status.
//!
//! Most of it needs an SMT solver, which `scripts/setup` installs.

mod answers;
mod certificates;
mod ending;
mod usage;

use horn::smt::find_solver;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// `inv` counts up to `n`; the query is whether it can pass.
const SAFE: &str = "(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (n Int)) (=> (and (= x 0) (>= n 0)) (inv x n))))
(assert (! (forall ((x Int) (n Int)) (=> (and (inv x n) (< x n)) (inv (+ x 1) n))) :named step))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (> x n)) false)))
(check-sat)
";

/// `inv` counts to 3, which is not allowed.
const UNSAFE: &str = "(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (! (forall ((x Int)) (=> (and (inv x) (< x 5)) (inv (+ x 1)))) :named step))
(assert (forall ((x Int)) (=> (and (inv x) (= x 3)) false)))
(check-sat)
";

/// Nobody decides this within seconds: the product of two numbers above 1 is never one of these primes.
const HARD: &str = "(set-logic HORN)
(declare-fun p (Int Int Int Int) Bool)
(assert (forall ((a Int) (b Int)) (=> (and (> a 1) (> b 1)) (p a b 0 0))))
(assert (forall ((a Int) (b Int) (i Int) (s Int)) (=> (and (p a b i s) (< i a)) (p a b (+ i 1) (+ s b)))))
(assert (forall ((a Int) (b Int) (i Int) (s Int)) (=> (and (p a b i s) (= i a) (= s 1000003)) false)))
(check-sat)
";

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_horn-solve"));
    command.args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn start(args: &[&str], input: &str) -> Child {
    let mut child = command(args).spawn().expect("the program is built");
    // It may end before it has read everything.
    let _ = child
        .stdin
        .take()
        .expect("piped")
        .write_all(input.as_bytes());
    child
}

fn run(args: &[&str], input: &str) -> Output {
    start(args, input)
        .wait_with_output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Is there a solver to test with? There must be, unless the one who runs the tests excuses it.
fn solver_found() -> bool {
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
fn check(args: &[&str], input: &str, stdout: &str, stderr: &str, status: i32) {
    let output = run(args, input);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(out, stdout, "standard error: {err}");
    assert!(err.contains(stderr), "standard error: {err}");
    assert_eq!(output.status.code(), Some(status), "standard error: {err}");
}
