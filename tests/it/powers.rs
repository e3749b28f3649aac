//! The engines `tpa`, `split-tpa` and `trl`: what they decide, and that their models and
//! refutations are accepted.

use crate::certified::{certified, context, native, read};
use horn::chc::{Answer, System};
use horn::engine::{Context, tpa, trl};
use horn::term::Terms;

/// The engines with their options.
type Engine = fn(&System, &Context<'_>) -> Answer;

const TPA: Engine = |s, c| tpa::solve(s, &tpa::Options::default(), c);
const SPLIT_TPA: Engine = |s, c| tpa::solve_split(s, &tpa::Options::default(), c);
const TRL: Engine = |s, c| trl::solve(s, &trl::Options::default(), c);

/// The verdict, whose certificate is checked, with the number of facts of a refutation; or why
/// there is none.
#[track_caller]
fn answer(engine: Engine, text: &str) -> String {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    match certified(&system, &context(&t, &backend), engine) {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat(refutation) => format!("unsat by {} facts", refutation.facts.len()),
        Answer::Unknown(unknown) => unknown.reason.to_string(),
    }
}

/// A loop over `x` and `y`, both 0 at the start, of this step, and this query.
fn counters(step: &str, query: &str) -> String {
    format!(
        "(declare-fun p (Int Int) Bool)
         (assert (p 0 0))
         (assert (forall ((x Int) (y Int) (|x'| Int) (|y'| Int))
           (=> (and (p x y) {step}) (p |x'| |y'|))))
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) {query}) false)))"
    )
}

/// The first half of the steps adds 2 and -1 to `y` in turn, the second half -2 and 1.
fn alternating(steps: u32, query: &str) -> String {
    let half = steps / 2;
    let change = format!("(ite (< x {half}) (ite even 2 (- 1)) (ite even (- 2) 1))");
    let step = format!(
        "(let ((even (= (mod x 2) 0)))
           (and (< x {steps}) (= |x'| (+ x 1)) (= |y'| (+ y {change}))))"
    );
    counters(&step, query)
}

#[test]
fn deep_counterexamples_through_two_phases() {
    for (steps, query) in [(40, "(= x 40) (= y 0)"), (2000, "(= x 2000) (= y 0)")] {
        let text = alternating(steps, query);
        let expected = format!("unsat by {} facts", steps + 2);
        assert_eq!(answer(TPA, &text), expected);
        assert_eq!(answer(SPLIT_TPA, &text), expected);
    }
}

#[test]
fn lemmas_of_all_paths() {
    for (step, query) in [
        (
            "(< x 1000) (= |x'| (+ x 1)) (= |y'| (+ y 2))",
            "(distinct y (* 2 x))",
        ),
        ("(< x 1000) (= |x'| (+ x 1)) (= |y'| (+ y 2))", "(< y x)"),
        ("(= |x'| (+ x 1)) (= |y'| (+ y 3))", "(< y 0)"),
    ] {
        let text = counters(step, query);
        for engine in [TPA, SPLIT_TPA, TRL] {
            assert_eq!(answer(engine, &text), "sat", "{text}");
        }
    }
}

#[test]
fn lemmas_of_multiples_of_two_steps() {
    // After an even number of steps x is 0.
    let text = counters("(= |x'| (- y x)) (= |y'| y)", "(> x 0)");
    assert_eq!(answer(SPLIT_TPA, &text), "sat");
    // The two are equal, which no transitive relation of the loop says.
    let text = counters("(= |x'| y) (= |y'| x)", "(distinct x y)");
    assert_eq!(answer(SPLIT_TPA, &text), "sat");
    assert_eq!(answer(TPA, &text), "sat");
}

#[test]
fn short_paths_and_several_predicates() {
    let text = "(declare-fun p (Int) Bool) (declare-fun q (Int Bool) Bool)
        (assert (forall ((x Int)) (=> (< 0 x 3) (p x))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (< x y (+ x 3))) (q y (= y 4)))))
        (assert (forall ((x Int) (b Bool)) (=> (and (q x b) (not b)) (p x))))
        (assert (forall ((x Int)) (=> (q x true) false)))";
    let unsafe_one = |engine| answer(engine, text).starts_with("unsat by");
    assert!([TPA, SPLIT_TPA, TRL].into_iter().all(unsafe_one));
    let empty = "(declare-fun p (Int) Bool) (assert (=> (p 0) false))";
    let early = "(assert (=> (> 1 0) false))";
    for engine in [TPA, SPLIT_TPA, TRL] {
        assert_eq!(answer(engine, empty), "sat");
        assert_eq!(answer(engine, early), "unsat by 1 facts");
    }
}

#[test]
fn transitive_relations_are_learned_and_forgotten() {
    // Two phases, closed after one relation for each.
    let step = "(= |x'| (ite (< x 500) (+ x 1) x)) (= |y'| (ite (< x 500) y (+ y 1)))";
    assert_eq!(
        answer(TRL, &counters(step, "(and (> y 0) (< x 500))")),
        "sat"
    );
    // The relation for the loop allows any number of steps, and then it is unrolled.
    let step = "(< x 9) (= |x'| (+ x 3)) (= |y'| (+ y 1))";
    assert_eq!(answer(TRL, &counters(step, "(= x 9)")), "unsat by 5 facts");
}

#[test]
fn limits_are_told() {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, alternating(2000, "(= x 2000) (= y 0)"));
    let context = context(&t, &backend);
    let options = tpa::Options {
        max_power: 5,
        ..tpa::Options::default()
    };
    let Answer::Unknown(unknown) = tpa::solve(&system, &options, &context) else {
        panic!("paths of 32 steps do not suffice");
    };
    assert!(unknown.reason.to_string().contains("max-power"));
    assert_eq!(unknown.safe_depth, Some(33));
}
