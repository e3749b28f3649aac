//! Linear systems as transition systems: certificates of the transition system, taken back, are
//! those of the system.

use super::corpus::files;
use super::lift::backend;
use crate::certified::is_certified;
use horn::chc::{Answer, System};
use horn::engine::{Context, bmc, pdr};
use horn::smt::Limit;
use horn::smtlib::{Source, read_system};
use horn::term::Terms;
use horn::transform::{Tools, linearise};
use horn::work::milliseconds;

/// The budget of each engine for each file, in ticks.
const BUDGET: u64 = milliseconds(100);
/// At least this part of the linear files is to be decided, in percent.
const DECIDED_FLOOR: usize = 50;

/// The verdict of an engine about the transition system; its certificate is taken back and checked.
/// `None` is unknown.
///
/// # Panics
/// The certificate is refused.
fn verdict(t: &Terms, system: &System, name: &str) -> Option<&'static str> {
    let linearised = linearise(t, system)?.transformed;
    let backend = backend();
    let context = || Context::new(Tools::new(t, &backend, Limit::none().part(BUDGET)));
    let bounded = bmc::Options {
        max_depth: 8,
        ..bmc::Options::default()
    };
    let new = &linearised.system;
    let answer = match bmc::solve(new, &bounded, &context()) {
        Answer::Unknown(_) => pdr::solve(new, &pdr::Options::default(), &context()),
        answer => answer,
    };
    let tools = Tools {
        terms: t,
        backend: &backend,
        limit: Limit::none(),
    };
    let lift = &linearised.lift;
    let lifted = match answer {
        Answer::Sat(model) => lift.model(&tools, system, model).map(Answer::Sat),
        Answer::Unsat(refutation) => {
            (lift.refutation(&tools, system, refutation)).map(Answer::Unsat)
        }
        Answer::Unknown(_) => return None,
    };
    let lifted = lifted.unwrap_or_else(|why| panic!("{name}: {why}"));
    let right = is_certified(t, system, &lifted, &backend, &Limit::none());
    assert_eq!(right, Ok(true), "{name}");
    Some(lifted.verdict())
}

/// What an engine finds of the transition system of each linear file is so of the file.
#[test]
fn certificates_come_back() {
    for (directory, expected) in [("sat", "sat"), ("unsat", "unsat")] {
        let (mut linear, mut decided) = (0, 0);
        for path in files(&format!("horn-benchmarks/{directory}")) {
            let t = Terms::new();
            let name = path.display().to_string();
            let source = Source::open(&name).expect("the file can be read");
            let Ok(system) = read_system(&t, &source) else {
                continue;
            };
            if !system.is_linear() {
                assert!(linearise(&t, &system).is_none(), "{name}");
                continue;
            }
            linear += 1;
            let found = verdict(&t, &system, &name);
            assert!(
                found.is_none_or(|found| found == expected),
                "{name}: {found:?}"
            );
            decided += usize::from(found.is_some());
        }
        println!("{directory}: {decided} of {linear} linear files");
        assert!(
            linear > 0 && decided * 100 >= linear * DECIDED_FLOOR,
            "too few are decided"
        );
    }
}

/// Queries without premises, predicates with different arguments, and predicates without any.
#[test]
fn shapes_of_systems() {
    let table = [
        ("(assert (=> (< 1 2) false))", "unsat"),
        ("(assert (=> (< 2 1) false))", "sat"),
        (
            "(declare-fun p (Int Bool) Bool) (declare-fun q (Bool Int Int) Bool) (declare-fun r () Bool)
             (assert (p 1 true))
             (assert (forall ((x Int) (b Bool)) (=> (p x b) (q (not b) x (+ x 1)))))
             (assert (forall ((x Int) (y Int) (b Bool)) (=> (and (q b x y) (not b) (< x y)) r)))
             (assert (=> r false))",
            "unsat",
        ),
        (
            "(declare-fun p (Int Bool) Bool) (declare-fun q (Bool Int Int) Bool)
             (assert (p 1 true))
             (assert (forall ((x Int) (b Bool)) (=> (p x b) (q b x (+ x 1)))))
             (assert (forall ((x Int) (y Int) (b Bool)) (=> (and (q b x y) (<= y x)) false)))
             (assert (forall ((x Int)) (=> (< x x) false)))",
            "sat",
        ),
    ];
    for (text, expected) in table {
        let t = Terms::new();
        let system = read_system(&t, &Source::from_text("test", text)).expect("it is right");
        assert_eq!(verdict(&t, &system, text), Some(expected), "{text}");
    }
    let t = Terms::new();
    let two = "(declare-fun p (Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))";
    let system = read_system(&t, &Source::from_text("test", two)).expect("it is right");
    assert!(linearise(&t, &system).is_none());
}
