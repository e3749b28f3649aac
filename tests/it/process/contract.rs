//! What the contract promises, on sessions written by hand.

use super::{backends, check};
use crate::time::PROMPTLY;
use horn::number::Rational;
use horn::smt::process::{Assume, ProcessOptions};
use horn::smt::{CancelToken, Failure, Limit, SatResult, Solver};
use horn::term::{Sort, Term, Terms, Value};
use std::time::{Duration, Instant};

/// Both ways of making assumptions; cvc5 knows only one of them.
fn ways() -> impl Iterator<Item = ProcessOptions> {
    [None, Some(Assume::Named)].into_iter().map(|assume| {
        let default = ProcessOptions::default();
        ProcessOptions { assume, ..default }
    })
}

/// A formula that no solver decides soon.
fn hard(t: &Terms) -> Term {
    let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
    let cube = |x| t.mul([x, x, x]);
    t.eq(t.add([cube(x), cube(y), cube(z)]), t.int(114))
}

#[test]
fn a_session() {
    for (name, backend) in ways().flat_map(|options| backends(&options)) {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("größe |\\", Sort::INT));
        let (p, r) = (t.var("p", Sort::BOOL), t.var("r", Sort::REAL));
        let s = &mut *backend.solver(&t, "a session");
        assert_eq!(check(s, &[]), SatResult::Sat, "{name}");
        s.assert(t.eq(x, t.int(-5)));
        s.push();
        s.assert(t.lt(y, x));
        assert_eq!(check(s, &[]), SatResult::Sat, "{name}");
        let (low, high) = (t.le(t.int(0), y), t.le(y, t.int(10)));
        assert_eq!(check(s, &[p, high, low]), SatResult::Unsat, "{name}");
        assert_eq!(s.core(), Ok(vec![low]), "{name}");
        assert_eq!(s.core(), Ok(vec![low]), "{name}");
        assert_eq!(check(s, &[t.eq(y, t.int(-7))]), SatResult::Sat, "{name}");
        let third = t.eq(
            t.mul([r, t.real(Rational::from(3))]),
            t.real(Rational::from(-1)),
        );
        let values = s.values(&[x, y]);
        assert_eq!(values, Ok(vec![Value::from(-5), Value::from(-7)]), "{name}");
        // Variables that no assertion mentions have values too, always the same.
        let unknown = s.values(&[r, t.add([x, y]), p]).expect("values");
        assert_eq!(unknown[1], Value::from(-12), "{name}");
        let again = s.values(&[r, p]);
        assert_eq!(again, Ok(vec![unknown[0].clone(), unknown[2].clone()]));
        s.pop();
        s.assert(third);
        assert_eq!(check(s, &[low]), SatResult::Sat, "{name}");
        let values = s.values(&[r, y]).expect("values");
        assert_eq!(values[0], Value::from(Rational::new(-1, 3)), "{name}");
        let statistics = backend.statistics();
        assert_eq!(statistics.total().queries(), 5, "{name}");
        assert_eq!(statistics.processes.starts, 1, "{name}");
    }
}

#[test]
fn assumptions_may_be_any_formulas() {
    for (name, backend) in ways().flat_map(|options| backends(&options)) {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let (p, q) = (t.var("p", Sort::BOOL), t.var("q", Sort::BOOL));
        let s = &mut *backend.solver(&t, "assumptions");
        s.assert(t.le(x, y));
        let apart = t.or([t.lt(t.add([y, t.int(5)]), x), t.eq(p, q)]);
        let mixed = [apart, t.not(t.eq(p, q)), t.eq(x, y), Term::TRUE];
        assert_eq!(check(s, &mixed), SatResult::Unsat, "{name}");
        let core = s.core().expect("a core");
        assert!(mixed.starts_with(&core[..2]), "{name}: {core:?}"); // cvc5's are not minimal
        assert_eq!(check(s, &[p, t.not(p)]), SatResult::Unsat, "{name}");
        assert_eq!(s.core().map(|core| core.len()), Ok(2), "{name}");
        assert_eq!(check(s, &[p, Term::FALSE, q]), SatResult::Unsat, "{name}");
        assert_eq!(s.core(), Ok(vec![Term::FALSE]), "{name}");
        // The same formula twice, and a term that is printed with `let`.
        let sum = t.add([x, y, t.ite(p, x, y)]);
        let big = t.lt(t.add([sum, x]), t.add([sum, x, t.neg(t.abs(sum))]));
        assert_eq!(check(s, &[p, p]), SatResult::Sat, "{name}");
        assert_eq!(check(s, &[q, big, q]), SatResult::Unsat, "{name}");
        assert_eq!(s.core(), Ok(vec![big]), "{name}");
        s.assert(Term::FALSE);
        assert_eq!(check(s, &[p]), SatResult::Unsat, "{name}");
        assert_eq!(s.core(), Ok(vec![]), "{name}");
    }
}

#[test]
fn values_and_cores_need_their_answer() {
    for (name, backend) in backends(&ProcessOptions::default()) {
        let t = Terms::new();
        let p = t.var("p", Sort::BOOL);
        let s = &mut *backend.solver(&t, "order");
        assert!(s.values(&[p]).is_err() && s.core().is_err(), "{name}");
        assert_eq!(check(s, &[p]), SatResult::Sat, "{name}");
        assert!(s.core().is_err(), "{name}");
        s.push();
        assert!(s.values(&[p]).is_err(), "{name}");
        assert_eq!(check(s, &[p, t.not(p)]), SatResult::Unsat, "{name}");
        assert!(s.values(&[p]).is_err(), "{name}");
    }
}

#[test]
fn a_deadline_ends_a_check_and_nothing_is_forgotten() {
    for (name, backend) in backends(&ProcessOptions::default()) {
        let t = Terms::new();
        let x = t.var("x", Sort::INT);
        let s = &mut *backend.solver(&t, "deadline");
        s.assert(t.le(t.int(1), x));
        s.push();
        s.assert(hard(&t));
        // The solver gets short limits; the watchdog enforces all of them.
        for milliseconds in [0, 1, 100, 2300] {
            let limit = Duration::from_millis(milliseconds);
            let begun = Instant::now();
            s.set_limit(Limit::none().within(limit));
            let outcome = check(s, &[]);
            assert_eq!(outcome, SatResult::Unknown(Failure::Timeout), "{name}");
            let late = begun.elapsed().saturating_sub(limit);
            assert!(late < PROMPTLY, "{name}: {late:?} late");
        }
        s.set_limit(Limit::none());
        s.pop();
        assert_eq!(check(s, &[t.lt(x, t.int(1))]), SatResult::Unsat, "{name}");
        assert_eq!(check(s, &[t.lt(x, t.int(2))]), SatResult::Sat, "{name}");
        assert_eq!(s.values(&[x]), Ok(vec![Value::from(1)]), "{name}");
    }
}

#[test]
fn a_cancelled_check_ends() {
    for (name, backend) in backends(&ProcessOptions::default()) {
        let t = Terms::new();
        let s = &mut *backend.solver(&t, "cancel");
        s.assert(hard(&t));
        let cancel = CancelToken::new();
        let limit = Limit::new(None, cancel.clone());
        s.set_limit(limit);
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
            Instant::now()
        });
        let outcome = check(s, &[]);
        let late = canceller.join().expect("it sleeps").elapsed();
        assert_eq!(outcome, SatResult::Unknown(Failure::Cancelled), "{name}");
        assert!(late < PROMPTLY, "{name}: {late:?} late");
        assert_eq!(check(s, &[]), SatResult::Unknown(Failure::Cancelled));
    }
}

#[test]
fn few_processes_serve_many_contexts() {
    let options = ProcessOptions {
        max_processes: 2,
        ..ProcessOptions::default()
    };
    for (name, backend) in backends(&options) {
        let t = Terms::new();
        let x = t.var("x", Sort::INT);
        let mut contexts: Vec<Box<dyn Solver>> = (0..5)
            .map(|i| {
                let mut s = backend.solver(&t, "one of many");
                s.assert(t.eq(x, t.int(i)));
                s
            })
            .collect();
        for _ in 0..2 {
            for (i, s) in (0..).zip(&mut contexts) {
                assert_eq!(check(&mut **s, &[]), SatResult::Sat, "{name}");
                assert_eq!(s.values(&[x]), Ok(vec![Value::from(i)]), "{name}");
            }
        }
        let statistics = backend.statistics().processes;
        assert_eq!((statistics.starts, statistics.evicted), (10, 8), "{name}");
    }
}

#[test]
fn the_model_and_the_core_survive_the_process() {
    let options = ProcessOptions {
        max_processes: 1,
        ..ProcessOptions::default()
    };
    for (name, backend) in backends(&options) {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let row = t.array_sort(Sort::INT, Sort::INT);
        let (a, b) = (t.var("a", row), t.var("b", row));
        let [mut s, mut other] = ["model", "other"].map(|name| backend.solver(&t, name));
        s.assert(t.lt(t.add([x, t.int(3)]), y));
        s.assert(t.eq(t.select(a, x), y));
        assert_eq!(check(&mut *s, &[t.lt(t.int(7), x)]), SatResult::Sat);
        let first = s.values(&[x, y]).expect("values");
        assert_eq!(check(&mut *other, &[]), SatResult::Sat);
        // Another process finds a model in which what was told is still true; `b` is no assertion's
        // variable.
        let more = s.values(&[t.sub(y, x), t.select(b, x), a]).expect("values");
        let number = |v: &Value| v.as_number().cloned().expect("a number");
        assert_eq!(
            number(&more[0]),
            number(&first[1]) - number(&first[0]),
            "{name}"
        );
        let array = more[2].as_array().expect("an array");
        assert_eq!(array.select(&first[0]), &first[1], "{name}");
        let assumptions = [t.lt(y, x), t.lt(x, t.int(100))];
        assert_eq!(check(&mut *s, &assumptions), SatResult::Unsat);
        assert_eq!(check(&mut *other, &[]), SatResult::Sat);
        assert_eq!(s.core(), Ok(vec![assumptions[0]]), "{name}");
    }
}

/// The answers that a file of commands gets from its solver.
fn replay(name: &str, file: &std::path::Path) -> Vec<String> {
    let choice = horn::smt::find_solver(Some(name)).expect("it was found before");
    let mut command = std::process::Command::new(&choice.command[0]);
    if name == "cvc5" {
        command.arg("--incremental");
    }
    let output = command.arg(file).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let answers = text.lines().filter(|l| ["sat", "unsat"].contains(l));
    answers.map(str::to_owned).collect()
}

#[test]
fn dumps_can_be_replayed() {
    let directory = tempfile::tempdir().expect("a directory");
    let options = ProcessOptions {
        dump: Some(directory.path().join("made/here")),
        ..ProcessOptions::default()
    };
    for (name, backend) in backends(&options) {
        let t = Terms::new();
        let x = t.var("größe\nvon", Sort::INT);
        let mut s = backend.solver(&t, &format!("{name} of p/2"));
        s.assert(t.lt(t.int(3), x));
        assert_eq!(check(&mut *s, &[]), SatResult::Sat);
        let about = format_args!("does F_1 block\nthe cube?");
        assert_eq!(s.check(about, &[t.eq(x, t.int(2))]), SatResult::Unsat);
        drop(s);
        let file = directory.path().join("made/here");
        let mut files = std::fs::read_dir(file).expect("a directory");
        let file = files.find_map(|f| {
            f.ok()
                .filter(|f| f.file_name().to_string_lossy().contains(name))
        });
        let file = file.expect("a dump").path();
        let text = std::fs::read_to_string(&file).expect("text");
        for part in [
            "is größe\n; von\n",
            "; a test\n",
            "; does F_1 block\n; the cube?\n(check-sat",
            "; unsat, ",
            "; sat, ",
        ] {
            assert!(text.contains(part), "{name}: {part:?} in\n{text}");
        }
        assert_eq!(replay(name, &file), ["sat", "unsat"], "{name}");
    }
}
