//! Loops taken many steps at a time: which of them are, and what is found by it.

use crate::certified::{context, native, read, said};
use crate::corpus::corpus;
use horn::chc::{Answer, UnknownReason};
use horn::engine::acceleration::{Options, solve, suits};
use horn::smt::Limit;
use horn::term::Terms;
use horn::transform::{self, Pass, Tools, preprocess};
use std::time::Duration;

/// What the engine says of a text.
#[track_caller]
fn answer(text: &str) -> String {
    said(text, |system, context| {
        solve(system, &Options::default(), context)
    })
}

/// How many clauses of many steps the system has.
fn jumps(text: &str) -> usize {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    let tools = Tools {
        terms: &t,
        backend: &backend,
        limit: Limit::none().within(Duration::from_secs(60)),
    };
    let options = transform::Options {
        passes: vec![Pass::Accelerate],
        rounds: 1,
    };
    let prepared = preprocess(&tools, &system, &options);
    prepared.system(&system).clauses.len() - system.clauses.len()
}

/// A loop over these arguments, of this step, whose new arguments have a `'`, and how many
/// translations it has.
#[track_caller]
fn check_loop(args: &[(&str, &str)], step: &str, expected: usize) {
    let sorts: Vec<&str> = args.iter().map(|&(_, sort)| sort).collect();
    let names: Vec<&str> = args.iter().map(|&(name, _)| name).collect();
    let declared: String = (args.iter())
        .map(|(name, sort)| format!("({name} {sort}) (|{name}'| {sort})"))
        .collect();
    let after: Vec<String> = names.iter().map(|name| format!("|{name}'|")).collect();
    let text = format!(
        "(declare-fun p ({}) Bool)
         (assert (forall ({declared}) (=> (and (p {}) {step}) (p {}))))",
        sorts.join(" "),
        names.join(" "),
        after.join(" ")
    );
    assert_eq!(jumps(&text), expected, "{text}");
}

const X: (&str, &str) = ("x", "Int");
const Y: (&str, &str) = ("y", "Int");
const B: (&str, &str) = ("b", "Bool");
const R: (&str, &str) = ("r", "Real");

#[test]
fn steps_that_can_be_repeated() {
    for (args, step, expected) in [
        (&[X][..], "(= |x'| (+ x 2)) (< x 100)", 1),
        // On both sides of 7.
        (&[X], "(= |x'| (+ x 2)) (distinct x 7)", 2),
        // In each of two cases.
        (
            &[X, Y],
            "(= |x'| (+ x 1)) (= |y'| (ite (< x 9) y (- y 3)))",
            2,
        ),
        // One of them leads nowhere.
        (&[X, Y], "(= |x'| (ite (< y 9) (+ x 1) x)) (= |y'| y)", 1),
        (&[X], "(= |x'| x)", 0),
        // What changes by a factor, by a variable, or in turn.
        (&[X], "(= |x'| (* 2 x))", 0),
        (&[X, Y], "(= |x'| (+ x y)) (= |y'| y)", 0),
        (&[X, Y], "(= |x'| (+ y 1)) (= |y'| (+ x 1))", 0),
        // What holds of every second number only is not what holds between.
        (&[X], "(= |x'| (+ x 1)) (= (mod x 3) 0)", 0),
        (&[X, Y], "(= |x'| (+ x 1)) (= |y'| y) (= (mod y 3) 0)", 1),
        (
            &[X, Y],
            "(= |x'| (+ x 1)) (= |y'| (+ y 5)) (= (mod (+ x y) 3) 0)",
            1,
        ),
        (
            &[X, Y],
            "(= |x'| (+ x 1)) (= |y'| (+ y 5)) (= (mod (+ x y) 4) 0)",
            0,
        ),
        // What becomes something, and stays it; what may be anything.
        (&[X, Y], "(= |x'| (+ x 1)) (= |y'| 5)", 1),
        (&[X, Y], "(= |x'| (+ x 1)) (> |y'| x)", 1),
        (&[X, Y], "(= |x'| (+ x 1)) (= |y'| x)", 1),
        (
            &[X, Y],
            "(= |x'| (+ x 1)) (= |y'| (- 7 (* 2 x))) (< y x)",
            1,
        ),
        (&[X, Y], "(= |x'| (+ x 1)) (= |y'| (* x x))", 0),
        (&[X, Y], "(= |x'| (+ x 1)) (= |y'| (+ x (* 2 y)))", 0),
        (&[X, B], "(= |x'| (+ x 1)) (= |b'| b)", 1),
        (&[X, B], "(= |x'| (+ x 1)) b |b'|", 1),
        (&[R], "(= |r'| (- r 0.5)) (> r 3.0)", 1),
        (&[R, X], "(= |r'| (+ r 0.25)) (= |x'| (+ x 1)) (< r 7.0)", 1),
        (&[B], "(= |b'| (not b))", 0),
        // An integer is what a real is, where that is one.
        (
            &[X, Y, R],
            "(= |x'| (+ x 1)) (= (to_real |y'|) r) (= |r'| r)",
            1,
        ),
    ] {
        check_loop(args, step, expected);
    }
}

#[test]
fn many_loops() {
    let loops = |count: i64| -> String {
        let clause = |n| format!("(assert (forall ((x Int)) (=> (p x) (p (+ x {n})))))");
        (1..=count).map(clause).collect()
    };
    for (count, expected) in [(127, 127), (128, 128), (130, 128)] {
        let text = format!("(declare-fun p (Int) Bool){}", loops(count));
        assert_eq!(jumps(&text), expected);
    }
}

#[test]
fn loops_that_count_far() {
    for (file, expected) in [
        ("sat/lia/phases-of-thousands.smt2", "sat"),
        (
            "unsat/lia/phases-of-thousands-and-fifty.smt2",
            "unsat by 10052 facts",
        ),
        ("sat/lia/half-by-two-calls.smt2", "sat"),
        (
            "sat/bool/arbiter-four.smt2",
            "incomplete: no loop was accelerated",
        ),
        ("sat/lia/no-query.smt2", "sat"),
    ] {
        assert_eq!(answer(&corpus(file)), expected, "{file}");
    }
}

/// Steps are written out whatever else the clause has: arguments that become something, inputs,
/// Booleans, reals, variables that only the constraint has.
#[test]
fn refutations_are_written_out() {
    for (text, expected) in [
        (
            "(declare-fun p (Int Int) Bool)
             (assert (p 0 7))
             (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 3) 5))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 2999) (= y 5)) false)))",
            "unsat by 1002 facts",
        ),
        (
            "(declare-fun p (Int Int) Bool)
             (assert (p 0 7))
             (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (< 10 z 20)) (p (+ x 1) z))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 999) (= y 15)) false)))",
            "unsat by 1002 facts",
        ),
        (
            "(declare-fun p (Real Int Bool) Bool)
             (assert (forall ((b Bool)) (p 0.0 0 b)))
             (assert (forall ((r Real) (s Real) (n Int) (k Int) (b Bool))
               (=> (and (p r n b) (= (* 2.0 s) (+ 1.0 (* 2.0 r))) (< n k 601)) (p s (+ n 4) b))))
             (assert (forall ((r Real) (n Int)) (=> (and (p r n true) (>= n 600) (= r 75.0)) false)))",
            "unsat by 152 facts",
        ),
        // Two loops, one after the other; neither is the second clause.
        (
            "(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
             (assert (forall ((x Int)) (=> (and (p x) (= x 200)) (q x 0))))
             (assert (p 0))
             (assert (forall ((x Int) (y Int)) (=> (q x y) (q x (- y 2)))))
             (assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
             (assert (forall ((x Int) (y Int)) (=> (and (q x y) (= y (- 300))) false)))",
            "unsat by 253 facts",
        ),
        // What is set to something that grows, and the guard at the second step.
        (
            "(declare-fun p (Int Int) Bool)
             (assert (p 0 7))
             (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 2) (- 5 (* 3 x))))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y (- 895)) (= x 302)) false)))",
            "unsat by 153 facts",
        ),
        (
            "(declare-fun p (Int Int) Bool)
             (assert (p 0 7))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= x y)) (p (+ x 1) (- x 5)))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 1)) false)))",
            "sat",
        ),
        // The guard of the second step: from there on `x` is less than what `y` has become.
        (
            "(declare-fun p (Int Int) Bool)
             (assert (p 0 0))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x y)) (p (+ x 1) 5))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 1)) false)))",
            "sat",
        ),
        (
            "(declare-fun p (Int Int Real) Bool)
             (assert (forall ((r Real)) (p 0 0 r)))
             (assert (forall ((x Int) (k Int) (r Real) (y Int))
               (=> (and (p x k r) (= (to_real y) r)) (p y (+ k 1) r))))
             (assert (forall ((x Int) (k Int) (r Real)) (=> (and (p x k r) (> k 1) (= r 0.5)) false)))",
            "sat",
        ),
        // No step sets nothing.
        (
            "(declare-fun p (Int Int) Bool)
             (assert (p 0 7))
             (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) 5))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 0) (= y 5)) false)))",
            "sat",
        ),
        // More steps than anybody wants to read.
        (
            "(declare-fun p (Int) Bool)
             (assert (p 0))
             (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
             (assert (forall ((x Int)) (=> (and (p x) (> x 1000000)) false)))",
            "unsat by 3 facts",
        ),
    ] {
        assert_eq!(answer(text), expected, "{text}");
    }
}

/// Time that is over is no reason of the system's.
#[test]
fn limits_are_told() {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, corpus("sat/lia/phases-of-thousands.smt2"));
    let context = context(&t, &backend).within(Limit::none().within(Duration::ZERO));
    let Answer::Unknown(unknown) = solve(&system, &Options::default(), &context) else {
        panic!("there was no time");
    };
    assert_eq!(unknown.reason, UnknownReason::Timeout);
}

#[test]
fn systems_that_count() {
    let t = Terms::new();
    for (text, expected) in [
        (
            "(declare-fun p (Int) Bool) (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))",
            true,
        ),
        (
            "(declare-fun p (Bool) Bool) (assert (forall ((x Bool)) (=> (p x) (p (not x)))))",
            false,
        ),
        (
            "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
             (assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))",
            false,
        ),
    ] {
        assert_eq!(suits(&t, &read(&t, text)), expected, "{text}");
    }
}
