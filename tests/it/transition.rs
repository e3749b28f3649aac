//! The engines over one transition system, `imc`, `pdkind` and `dar`: each decides small systems
//! with all of its settings, and its certificates are accepted.

use crate::certified::{certified, context, native, read};
use horn::chc::{Answer, System};
use horn::engine::{Context, Progress, dar, imc, pdkind};
use horn::smt::Strength;
use horn::term::Terms;
use std::cell::Cell;

/// An engine with settings.
type Engine = fn(&System, &Context<'_>) -> Answer;

/// The engines with their settings.
const ENGINES: [(&str, Engine); 8] = [
    ("imc", |s, c| imc::solve(s, &imc::Options::default(), c)),
    ("imc, weak", |s, c| {
        let interpolants = Strength::Weak;
        let options = imc::Options {
            interpolants,
            ..imc::Options::default()
        };
        imc::solve(s, &options, c)
    }),
    ("imc by sequences", |s, c| {
        let sequences = true;
        let options = imc::Options {
            sequences,
            ..imc::Options::default()
        };
        imc::solve(s, &options, c)
    }),
    ("pdkind", |s, c| {
        pdkind::solve(s, &pdkind::Options::default(), c)
    }),
    ("pdkind with longer and longer paths", |s, c| {
        let options = pdkind::Options {
            max_k: 1000,
            ..pdkind::Options::default()
        };
        pdkind::solve(s, &options, c)
    }),
    ("pdkind by cores alone", |s, c| {
        let options = pdkind::Options {
            max_k: 2,
            weaken: false,
            drop_literals: false,
            ..pdkind::Options::default()
        };
        pdkind::solve(s, &options, c)
    }),
    ("dar", |s, c| dar::solve(s, &dar::Options::default(), c)),
    ("dar, weak", |s, c| {
        let interpolants = Strength::Weak;
        let options = dar::Options {
            interpolants,
            ..dar::Options::default()
        };
        dar::solve(s, &options, c)
    }),
];

/// The answer, after its certificate was checked: the verdict, with the number of facts of a
/// refutation, or the reason.
#[track_caller]
fn answer(text: &str, engine: Engine) -> String {
    let (t, backend) = (Terms::new(), native());
    let system = read(&t, text);
    match certified(&system, &context(&t, &backend), engine) {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat(refutation) => format!("unsat by {} facts", refutation.facts.len()),
        Answer::Unknown(unknown) => unknown.reason.to_string(),
    }
}

/// Every engine gives this answer.
#[track_caller]
fn check(text: &str, expected: &str) {
    for (name, engine) in ENGINES {
        assert_eq!(answer(text, engine), expected, "{name}: {text}");
    }
}

/// One predicate of two numbers.
const S: &str = "(declare-fun s (Int Int) Bool) ";

#[test]
fn systems_with_models() {
    // The invariant is `x = y`, or a bound of the difference.
    check(
        &format!(
            "{S}(assert (s 0 0))
            (assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x 1) (+ y 1)))))
            (assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x 5) (> y 9)) false)))"
        ),
        "sat",
    );
    // Two predicates with other arguments, and reals.
    check(
        "(declare-fun p (Real) Bool) (declare-fun q (Real Bool) Bool)
        (assert (forall ((x Real)) (=> (and (<= 0.0 x) (<= x 1.0)) (p x))))
        (assert (forall ((x Real)) (=> (p x) (q (* 2.0 x) true))))
        (assert (forall ((x Real) (b Bool)) (=> (and (q x b) b) (p (* 0.5 x)))))
        (assert (forall ((x Real) (b Bool)) (=> (and (q x b) (not b)) false)))
        (assert (forall ((x Real)) (=> (and (p x) (> x 1.0)) false)))",
        "sat",
    );
    // A state is bad by some value of an input.
    check(
        &format!(
            "{S}(assert (forall ((x Int)) (=> (> x 0) (s x 0))))
            (assert (forall ((x Int) (y Int) (z Int)) (=> (and (s x y) (>= z y)) (s x z))))
            (assert (forall ((x Int) (y Int) (z Int))
              (=> (and (s x y) (< y z) (< z 0) (> (+ x z) 0)) false)))"
        ),
        "sat",
    );
}

#[test]
fn systems_without_facts_or_ways_to_false() {
    let step = "(assert (forall ((x Int) (y Int)) (=> (s x y) (s y (+ x 1)))))";
    let query = "(assert (forall ((x Int) (y Int)) (=> (and (s x y) (= x 7)) false)))";
    check(&format!("{S}{step}{query}"), "sat");
    check(&format!("{S}(assert (s 0 0)){step}"), "sat");
    check(&format!("{S}(assert (s 0 0)){query}"), "sat");
}

#[test]
fn refutations_have_the_height_of_the_path() {
    // Two variables in turn: the query is satisfied after ten steps.
    check(
        &format!(
            "{S}(assert (s 0 0))
            (assert (forall ((x Int) (y Int)) (=> (s x y) (s y (+ x 1)))))
            (assert (forall ((x Int) (y Int)) (=> (and (s x y) (= x 5)) false)))"
        ),
        "unsat by 12 facts",
    );
    // An initial state is bad; `false` has no premise at all.
    check(
        &format!("{S}(assert (s 0 1)) (assert (forall ((x Int)) (=> (s x 1) false)))"),
        "unsat by 2 facts",
    );
    check(
        &format!("{S}(assert (s 0 1)) (assert false)"),
        "unsat by 1 facts",
    );
    // A step that ends every path, and another one.
    check(
        &format!(
            "{S}(assert (s 0 0))
            (assert (forall ((x Int) (y Int)) (=> (and (s x y) (= y 0)) (s 100 1))))
            (assert (forall ((x Int) (y Int)) (=> (and (s x y) (= y 0)) (s (+ x 1) 0))))
            (assert (forall ((x Int) (y Int)) (=> (and (s x y) (= x 3)) false)))"
        ),
        "unsat by 5 facts",
    );
}

#[test]
fn phases_that_go_on_once_each() {
    // An invariant by k-induction that the first states do not satisfy is a disjunction.
    check(
        &format!(
            "{S}(assert (s 0 7))
            (assert (forall ((x Int)) (=> (s 0 x) (s 1 (+ x 1)))))
            (assert (forall ((x Int)) (=> (s 1 x) (s 2 (* 2 x)))))
            (assert (forall ((x Int)) (=> (s 2 x) (s 3 (- x 6)))))
            (assert (forall ((x Int)) (=> (and (s 3 x) (not (= x 10))) false)))"
        ),
        "sat",
    );
}

#[test]
fn other_systems_are_not_supported() {
    let text = "(declare-fun p (Int) Bool) (assert (p 0))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
    check(text, "not supported: the system is no transition system");
}

#[test]
fn safe_depths_are_those_of_the_system() {
    // The shortest derivation of `false` has height 7, so 6 is the greatest safe depth.
    let text = format!(
        "{S}(assert (s 0 0))
        (assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x 1) (+ y x)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (= x 5)) false)))"
    );
    for (name, engine) in ENGINES {
        let (t, backend) = (Terms::new(), native());
        let system = read(&t, &text[..]);
        let safe = Cell::new(0);
        let progress = |progress: &Progress| {
            safe.set(progress.safe_depth.unwrap_or(0).max(safe.get()));
        };
        let context = Context {
            progress: &progress,
            ..context(&t, &backend)
        };
        let answer = certified(&system, &context, engine);
        assert!(matches!(answer, Answer::Unsat(_)), "{name}");
        assert!((1..7).contains(&safe.get()), "{name}: {}", safe.get());
    }
}
