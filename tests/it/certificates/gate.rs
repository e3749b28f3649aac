//! What becomes of the answers of engines that are right, wrong, slow or broken.
//!
//! No solver is needed: refutations are checked without one, and where a model must be checked, a
//! program that is no solver stands in, so that the check fails.

use super::counter::{counter, fact, model, refutation};
use crate::certified::solve_by_certified;
use crate::time::PROMPTLY;
use horn::chc::{Answer, Refutation, Unknown, UnknownReason};
use horn::engine::{Context, Progress};
use horn::portfolio::{Check, CheckMode, Control, Options, Solved, Stop, solve as solve_system};
use horn::smt::native::NativeOptions;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, SolverChoice};
use horn::smtlib::{Source, read_system};
use horn::term::{Case, Sort, Terms};
use std::time::{Duration, Instant};

fn solve(
    t: &Terms,
    options: &Options,
    stop: &Stop,
    engine: &dyn Fn(&Context<'_>) -> Answer,
) -> Solved {
    let no_solver = SolverChoice {
        name: "false".to_owned(),
        command: vec!["false".to_owned()],
        found: String::new(),
    };
    let backend = Backend::process(&no_solver, ProcessOptions::default()).expect("threads");
    let control = Control::new(stop);
    solve_by_certified(t, &counter(t, 1), &backend, options, control, engine)
}

/// Verdict or reason of an engine's answer after the gate, and whether its certificate was
/// accepted.
#[track_caller]
fn check(options: &Options, engine: &dyn Fn(&Context<'_>) -> Answer, expected: &str) {
    let t = Terms::new();
    let solved = solve(&t, options, &Stop::new(), engine);
    let verdict = match &solved.answer {
        Answer::Unknown(unknown) => unknown.reason.to_string(),
        answer => answer.verdict().to_owned(),
    };
    let check = match solved.check {
        Check::None => "no certificate",
        Check::Accepted => "accepted",
        Check::NotDecided(_) => "not decided",
        Check::Refused(_) => "refused",
    };
    assert_eq!(format!("{verdict}; {check}"), expected);
}

fn gives_up(reason: UnknownReason) -> Answer {
    Answer::Unknown(Unknown::new(reason))
}

#[test]
fn only_certified_answers_pass() {
    let strict = Options::default();
    let lenient = Options {
        check: CheckMode::Lenient,
        ..Options::default()
    };
    let wrong = || {
        let mut refutation = refutation();
        refutation.facts.pop();
        Answer::Unsat(refutation)
    };
    for options in [&strict, &lenient] {
        check(options, &|_| Answer::Unsat(refutation()), "unsat; accepted");
        check(
            options,
            &|_| wrong(),
            "certificate refused: fact 2 (by clause 2): the last fact is no instance of a query; refused",
        );
        check(
            options,
            &|_| panic!("a bug"),
            "internal fault: a bug; no certificate",
        );
        check(
            options,
            &|_| gives_up(UnknownReason::Incomplete("no idea".to_owned())),
            "incomplete: no idea; no certificate",
        );
    }
    // The stand-in for a solver decides nothing.
    check(
        &strict,
        &|context| Answer::Sat(model(context.terms)),
        "certificate not checked in time; not decided",
    );
    check(
        &lenient,
        &|context| Answer::Sat(model(context.terms)),
        "sat; not decided",
    );
    // A model with functions that are defined by recursion is never refused for a clause.
    check(
        &lenient,
        &|context| {
            let t = context.terms;
            let id = t.declare_datatype(t.symbol("Unit"), &[]);
            t.define_datatype(id, &[(t.symbol("unit"), vec![])]);
            let func = t.declare(t.symbol("f"), &[t.datatype(id).sort], Sort::INT);
            let case = Case {
                ctor: t.datatype(id).ctors()[0],
                params: Box::default(),
                body: t.int(0),
            };
            t.define_by_cases(func, vec![case]);
            let y = t.var("y", t.datatype(id).sort);
            let lemma = t.forall(&[y], t.eq(t.apply(func, &[y]), t.int(0)));
            let mut model = model(t);
            let said = &mut model.interpretations[0];
            said.body = t.and([said.body, lemma]);
            Answer::Sat(model)
        },
        "certificate not checked in time; not decided",
    );
    // An ill-formed model is refused without a solver.
    check(
        &lenient,
        &|context| {
            let mut model = model(context.terms);
            model.interpretations.pop();
            Answer::Sat(model)
        },
        "certificate refused: the model interprets 1 predicates, the system has 2; refused",
    );
}

#[test]
fn a_stop_gives_its_reason() {
    let t = Terms::new();
    let stop = Stop::new();
    let solved = solve(&t, &Options::default(), &stop, &|context| {
        stop.stop(UnknownReason::Memory);
        stop.stop(UnknownReason::Interrupted);
        assert!(context.limit.check().is_err());
        gives_up(UnknownReason::Interrupted)
    });
    let Answer::Unknown(unknown) = solved.answer else {
        panic!("a verdict");
    };
    assert_eq!(unknown.reason, UnknownReason::Memory);
}

/// What an engine has proved when a signal ends it is taken back all the same.
#[test]
fn what_is_known_outlasts_a_signal() {
    let t = Terms::new();
    let stop = Stop::new();
    let options = Options {
        invariants: true,
        ..Options::default()
    };
    let engine = |context: &Context<'_>| {
        stop.stop(UnknownReason::Interrupted);
        Answer::Unknown(Unknown {
            invariants: Some(model(context.terms)),
            ..Unknown::new(UnknownReason::Interrupted)
        })
    };
    let backend = Backend::native(NativeOptions::for_engines());
    let control = Control::new(&stop);
    let solved = solve_by_certified(&t, &counter(&t, 1), &backend, &options, control, &engine);
    let Answer::Unknown(unknown) = solved.answer else {
        panic!("a verdict: {:?}", solved.answer);
    };
    assert_eq!(unknown.reason, UnknownReason::Interrupted);
    let known = unknown
        .invariants
        .expect("the model is inductive but for the query");
    let said = t.display(known.interpretations[0].body).to_string();
    assert_eq!(said, "(and (<= 0 n) (<= n x))");
}

#[test]
fn limits_reach_the_engine() {
    let t = Terms::new();
    let options = Options {
        timeout: Some(Duration::from_millis(50)),
        ..Options::default()
    };
    let started = Instant::now();
    let solved = solve(&t, &options, &Stop::new(), &|context| {
        (context.progress)(&Progress {
            safe_depth: Some(7),
            ..Progress::default()
        });
        while context.limit.check().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        gives_up(UnknownReason::Timeout)
    });
    assert!(started.elapsed() < PROMPTLY);
    let Answer::Unknown(unknown) = solved.answer else {
        panic!("a verdict");
    };
    assert_eq!(unknown.reason, UnknownReason::Timeout);
    assert_eq!(
        unknown.safe_depth,
        Some(7),
        "what the engine told last counts"
    );
    let options = Options {
        memory: Some(1),
        ..Options::default()
    };
    let solved = solve(&t, &options, &Stop::new(), &|context| {
        while context.limit.check().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        gives_up(UnknownReason::Interrupted)
    });
    let Answer::Unknown(unknown) = solved.answer else {
        panic!("a verdict");
    };
    assert_eq!(unknown.reason, UnknownReason::Memory);
}

/// A refutation that needs the head of an empty list, which SMT-LIB leaves open, is not wrong, but
/// no derivation for every value. So the program is not at fault.
#[test]
fn a_value_that_is_left_open_is_no_fault() {
    let text = "
        (declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
        (declare-fun p (L) Bool)
        (assert (p nil))
        (assert (forall ((x L)) (=> (and (p x) (> (hd x) 3)) false)))";
    for lenient in [CheckMode::Strict, CheckMode::Lenient] {
        let t = Terms::new();
        let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
        let options = Options {
            check: lenient,
            ..Options::default()
        };
        let backend = Backend::native(NativeOptions::for_engines());
        let stop = Stop::new();
        let solved = solve_system(&t, &system, &backend, &options, Control::new(&stop));
        let Answer::Unknown(unknown) = solved.answer else {
            panic!("a verdict: {:?}", solved.answer);
        };
        assert!(!unknown.reason.is_fault(), "{}", unknown.reason);
        let refused = matches!(solved.check, Check::Refused(_));
        assert!(!refused, "{:?}", solved.check);
    }
}

/// A fact that is derived for each of its uses is derived once, and an early `false` and what no
/// step uses are left out. What is no refutation is refused as it is.
#[test]
fn each_fact_is_derived_once() {
    let twice = || {
        let facts = vec![
            fact(0, &[1], &[]),
            fact(0, &[1], &[]),
            fact(1, &[0, 1], &[0]),
            fact(1, &[0, 1], &[1]),
            fact(2, &[1, 1], &[3]),
            fact(3, &[1, 1, 1], &[3, 4]),
            fact(0, &[7], &[]),
            fact(3, &[1, 1, 1], &[2, 4]),
        ];
        Refutation { facts }
    };
    let t = Terms::new();
    let options = Options::default();
    let solved = solve(&t, &options, &Stop::new(), &|_| Answer::Unsat(twice()));
    let Answer::Unsat(found) = solved.answer else {
        panic!("no refutation: {:?}", solved.answer);
    };
    assert_eq!(format!("{found:?}"), format!("{:?}", refutation()));
    let wrong = || {
        let mut wrong = twice();
        wrong.facts[4].premises.clear();
        Answer::Unsat(wrong)
    };
    check(
        &options,
        &|_| wrong(),
        "certificate refused: fact 4 (by clause 2): 0 premises for 1 atoms; refused",
    );
}
