//! `auto` with several engines at the same time: the verdicts are those of one at a time, and every
//! way to end a run ends all of its threads. That no process is left is tested in
//! `tests/processes`.

use crate::certified::{is_certified, native, read, solve_certified};
use crate::corpus::corpus;
use crate::hard::HARD;
use horn::chc::{Answer, System, Unknown, UnknownReason};
use horn::portfolio::{Control, Jobs, Options, Solved, Stop, solve};
use horn::smt::{Backend, Limit};
use horn::term::Terms;
use horn::transform;
use std::time::{Duration, Instant};

/// Some of the corpus that every way decides quickly: with and without anything left after
/// preprocessing, with one predicate and several, linear and not, over integers, reals and
/// Booleans.
const FILES: &[&str] = &[
    "sat/lia/bakery-unbounded.smt2",
    "sat/lia/empty-system.smt2",
    "sat/lia/mccarthy91.smt2",
    "sat/lia/no-query.smt2",
    "sat/lia/spacer-fig1a-gcnr.smt2",
    "sat/lia/swap-loop.smt2",
    "unsat/lia/ackermann-2-3.smt2",
    "unsat/lia/bakery-choice-not-atomic.smt2",
    "unsat/lia/constants-beyond-64-bits.smt2",
    "unsat/lia/diamond-chain.smt2",
    "unsat/lia/jugs-five-and-three.smt2",
    "unsat/lia/mccarthy91-at-75.smt2",
    "sat/bool/peterson.smt2",
    "sat/lra/water-tank.smt2",
    "unsat/bool/lights-out.smt2",
    "unsat/lra/two-tanks-meet.smt2",
];

/// Much more than any way to end a run takes.
const PATIENCE: Duration = Duration::from_secs(30);

fn with_jobs(count: usize) -> Options {
    Options {
        jobs: Jobs::new(count),
        ..Options::default()
    }
}

/// The verdict, whose certificate must be right.
#[track_caller]
fn verdict(name: &str, text: &str, options: &Options) -> &'static str {
    let (t, backend) = (Terms::new(), native());
    let solved = solve_certified(&t, &read(&t, text), &backend, options);
    if let Answer::Unknown(unknown) = &solved.answer {
        panic!("{name}: {}", unknown.reason);
    }
    solved.answer.verdict()
}

#[test]
fn verdicts_are_the_same() {
    for file in FILES {
        let text = corpus(file);
        let expected = verdict(file, &text, &with_jobs(1));
        assert!(file.starts_with(&format!("{expected}/")), "{file}");
        for count in [2, 3, 4, 9] {
            assert_eq!(verdict(file, &text, &with_jobs(count)), expected, "{file}");
        }
        let as_read = Options {
            preprocess: transform::Options::none(),
            ..with_jobs(2)
        };
        assert_eq!(verdict(file, &text, &as_read), expected, "{file}");
    }
}

/// What becomes of the hard system. `solve` answers when all of its threads have ended.
fn unknown(backend: &Backend, options: &Options, stop: &Stop) -> Unknown {
    let t = Terms::new();
    let system = read(&t, HARD);
    let started = Instant::now();
    let solved = solve(&t, &system, backend, options, Control::new(stop));
    assert!(started.elapsed() < PATIENCE);
    match solved {
        Solved {
            answer: Answer::Unknown(unknown),
            ..
        } => unknown,
        _ => panic!("a verdict"),
    }
}

#[test]
fn whatever_ends_the_run_ends_all_engines_with_its_reason() {
    for count in [2, 4] {
        let time = Options {
            timeout: Some(Duration::from_millis(700)),
            ..with_jobs(count)
        };
        let reason = unknown(&native(), &time, &Stop::new()).reason;
        assert_eq!(reason, UnknownReason::Timeout);
        let memory = Options {
            memory: Some(1),
            ..with_jobs(count)
        };
        let reason = unknown(&native(), &memory, &Stop::new()).reason;
        assert_eq!(reason, UnknownReason::Memory);
        let stop = Stop::new();
        let caller = stop.clone();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(500));
            caller.stop(UnknownReason::Interrupted);
        });
        let reason = unknown(&native(), &with_jobs(count), &stop).reason;
        assert_eq!(reason, UnknownReason::Interrupted);
        stopper.join().expect("it stops only");
        // A token that is up from the beginning.
        let reason = unknown(&native(), &with_jobs(count), &stop).reason;
        assert_eq!(reason, UnknownReason::Interrupted);
    }
}

#[test]
fn invariants_come_back_from_other_threads() {
    let options = Options {
        timeout: Some(Duration::from_secs(4)),
        invariants: true,
        ..with_jobs(2)
    };
    let t = Terms::new();
    let system = read(&t, HARD);
    let (backend, stop) = (native(), Stop::new());
    let solved = solve(&t, &system, &backend, &options, Control::new(&stop));
    let Answer::Unknown(unknown) = solved.answer else {
        panic!("a verdict");
    };
    if let Some(model) = unknown.invariants {
        let rules = System {
            clauses: (system.clauses.iter().filter(|c| !c.is_query()).cloned()).collect(),
            ..system
        };
        let answer = Answer::Sat(model);
        let right = is_certified(&t, &rules, &answer, &backend, &Limit::none());
        assert_eq!(right, Ok(true), "invariants");
    }
}
