//! Predicate abstraction and Impact: the framework of `engine::arg`.

use crate::certified::{certified, context, native, read};
use horn::chc::Answer;
use horn::engine::{EngineSettings, EngineSpec, engine_named};
use horn::term::Terms;

const SCHOOLS: [&str; 2] = ["predicates", "impact"];

fn school(name: &str) -> &'static EngineSpec {
    engine_named(name).expect("it is registered")
}

/// The verdict without preprocessing; its certificate is checked.
fn verdict(name: &str, text: &str) -> String {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    let settings = EngineSettings::default();
    let answer = certified(&system, &context(&t, &backend), |system, context| {
        school(name).solve(system, &settings, context)
    });
    match answer {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat(refutation) => format!("unsat by {} facts", refutation.facts.len()),
        Answer::Unknown(unknown) => unknown.reason.to_string(),
    }
}

/// A loop that adds 2 to `x` and 1 to `y` up to `bound`; the query is about its end.
fn loop_of_two(query: &str) -> String {
    format!(
        "(set-logic HORN)
        (declare-fun start (Int Int) Bool) (declare-fun head (Int Int) Bool) (declare-fun end (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (start x y))))
        (assert (forall ((x Int) (y Int)) (=> (start x y) (head x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (head x y) (< y 3)) (head (+ x 2) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= y 3)) (end x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (end x y) {query}) false)))"
    )
}

#[test]
fn loops_are_proved_and_refuted() {
    for name in SCHOOLS {
        assert_eq!(verdict(name, &loop_of_two("(distinct x (* 2 y))")), "sat");
        assert_eq!(verdict(name, &loop_of_two("(= x 6)")), "unsat by 7 facts");
        assert_eq!(verdict(name, &loop_of_two("(> y 3)")), "sat");
    }
}

/// The function of McCarthy: 91 up to 101, else the argument minus 10.
fn mccarthy(query: &str) -> String {
    format!(
        "(set-logic HORN)
        (declare-fun f (Int Int) Bool)
        (assert (forall ((n Int)) (=> (> n 100) (f n (- n 10)))))
        (assert (forall ((n Int) (m Int) (r Int)) (=> (and (<= n 100) (f (+ n 11) m) (f m r)) (f n r))))
        (assert (forall ((n Int) (r Int)) (=> (and (f n r) {query}) false)))"
    )
}

#[test]
fn recursion_with_two_premises_is_decided() {
    for name in SCHOOLS {
        assert_eq!(verdict(name, &mccarthy("(< r 91)")), "sat");
        assert_eq!(
            verdict(name, &mccarthy("(and (<= n 101) (distinct r 91))")),
            "sat"
        );
        assert_eq!(
            verdict(name, &mccarthy("(and (= n 99) (= r 91))")),
            "unsat by 6 facts"
        );
    }
}

#[test]
fn what_nothing_derives_needs_no_state() {
    let text = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
        (assert (forall ((x Int)) (=> (and (p x) (> x 0)) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (< x 3) (> x 3)) (q x))))
        (assert (forall ((x Int)) (=> (p x) false)))
        (assert (forall ((x Int)) (=> (q x) false)))";
    for name in SCHOOLS {
        assert_eq!(verdict(name, text), "sat");
    }
}

#[test]
fn edges_have_a_limit() {
    let text = loop_of_two("(distinct x (* 2 y))");
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    for name in SCHOOLS {
        let mut settings = EngineSettings::default();
        let set = settings.set(name, "max-edges", "3");
        set.expect("an option of each school");
        let answer = school(name).solve(&system, &settings, &context(&t, &backend));
        let Answer::Unknown(unknown) = answer else {
            panic!("it has more edges: {answer:?}")
        };
        let reason = unknown.reason.to_string();
        assert!(reason.contains("option max-edges"), "{reason}");
    }
}
