//! What the portfolio makes of engines that give up, fail or panic: engines of the tests' own in
//! place of those of the registry.
//!
//! What becomes of certificates that are wrong is tested in `certificates/gate.rs`, and several
//! engines at the same time in `jobs.rs`.

use crate::certified::{native, read, solve_certified};
use horn::chc::{Answer, System, Unknown, UnknownReason};
use horn::engine::{Context, EngineSettings, EngineSpec, Finds, Suits, pdr};
use horn::portfolio::{Choice, Control, Jobs, Options, Stop, solve};
use horn::term::Terms;
use horn::transform;
use horn::work;

/// Two counters in one predicate. Preprocessing drops the second counter, which no query is about.
const SAFE: &str = "(declare-fun p (Int Int) Bool)
    (assert (p 0 0))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 5)) (p (+ x 1) (+ y x)))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 5)) false)))";

type Solve = fn(&System, &EngineSettings, &Context<'_>) -> Answer;

/// An engine of the tests' own.
const fn engine(finds: Finds, solve: Solve) -> EngineSpec {
    EngineSpec {
        name: "test",
        about: "an engine for tests",
        paper: &[],
        suits: Suits::ALL,
        finds,
        options: &[],
        solve,
    }
}

fn stuck(why: &str) -> Answer {
    Answer::Unknown(Unknown::new(UnknownReason::Incomplete(why.to_owned())))
}

/// Has the system the predicate of [`SAFE`] with both arguments?
fn is_original(system: &System, context: &Context<'_>) -> bool {
    let params = |func| context.terms.func(func).params.len();
    system.preds.iter().any(|pred| params(pred.func) == 2)
}

/// The verdict about [`SAFE`], or the reason why there is none.
fn outcome(engine: &'static EngineSpec) -> String {
    let (t, backend) = (Terms::new(), native());
    let options = Options {
        engine: Choice::One(engine),
        ..Options::default()
    };
    match solve_certified(&t, &read(&t, SAFE), &backend, &options).answer {
        Answer::Unknown(unknown) => unknown.reason.to_string(),
        answer => answer.verdict().to_owned(),
    }
}

#[test]
fn what_an_engine_does_not_decide_is_tried_without_preprocessing() {
    static CHOOSY: EngineSpec =
        engine(Finds::Both, |system, settings, context| {
            match is_original(system, context) {
                true => pdr::solve(system, &settings.pdr, context),
                false => stuck("not this one"),
            }
        });
    assert_eq!(outcome(&CHOOSY), "sat");
    // An engine that only unrolls would stop again.
    static UNROLLING: EngineSpec =
        engine(
            Finds::Refutations,
            |system, settings, context| match is_original(system, context) {
                true => pdr::solve(system, &settings.pdr, context),
                false => stuck("not this one"),
            },
        );
    assert_eq!(outcome(&UNROLLING), "incomplete: not this one");
}

#[test]
fn a_fault_without_preprocessing_is_told() {
    static PANICS: EngineSpec = engine(Finds::Both, |system, _, context| {
        match is_original(system, context) {
            true => panic!("a bug"),
            false => stuck("not this one"),
        }
    });
    assert_eq!(outcome(&PANICS), "internal fault: a bug");
    static STUCK: EngineSpec = engine(Finds::Both, |system, _, context| {
        stuck(match is_original(system, context) {
            true => "the original",
            false => "the preprocessed one",
        })
    });
    assert_eq!(outcome(&STUCK), "incomplete: the original");
}

#[test]
fn a_budget_of_ticks_ends_a_run() {
    static WORKS: EngineSpec = engine(Finds::Both, |_, _, context| {
        assert!(context.limit.ticks_left().is_some(), "the budget is known");
        while context.limit.check().is_ok() {
            work::spend(1);
        }
        Answer::Unknown(Unknown::new(UnknownReason::Timeout))
    });
    let (t, backend, stop) = (Terms::new(), native(), Stop::new());
    let options = Options {
        engine: Choice::One(&WORKS),
        preprocess: transform::Options::none(),
        budget: Some(1_000),
        ..Options::default()
    };
    let solved = solve(&t, &read(&t, SAFE), &backend, &options, Control::new(&stop));
    let Answer::Unknown(unknown) = solved.answer else {
        panic!("nothing was searched for");
    };
    assert_eq!(unknown.reason, UnknownReason::Work);
    assert!(
        (1_000..2_000).contains(&solved.stats.ticks),
        "{}",
        solved.stats.ticks
    );
}

#[test]
fn defaults() {
    let options = Options::default();
    assert_eq!(options.engine, Choice::Auto);
    assert_eq!(options.jobs, Jobs::new(1));
    assert!(Jobs::new(0).count() >= 1);
}
