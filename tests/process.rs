//! External solvers: the contract of `smt::Solver`, kept by real solvers and by fake ones that misbehave.
//!
//! The real ones are found as the program finds them. Where there is none the tests fail, unless
//! `HORN_TESTS_WITHOUT_SOLVERS=1` is set.

use horn::number::Rational;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Outcome, Solver, find_solver};
use horn::term::{Sort, Term, Terms, Value};

/// A back end for each known solver that is installed.
fn backends(options: &ProcessOptions) -> Vec<(&'static str, Backend)> {
    let found: Vec<_> = ["z3", "cvc5"]
        .into_iter()
        .filter_map(|name| {
            let choice = find_solver(Some(name)).ok()?;
            let backend = Backend::process(&choice, options.clone()).expect("a back end");
            Some((name, backend))
        })
        .collect();
    let excused = std::env::var("HORN_TESTS_WITHOUT_SOLVERS").is_ok_and(|v| v == "1");
    assert!(
        excused || found.iter().any(|(name, _)| *name == "z3"),
        "these tests need z3: run scripts/setup, or set HORN_TESTS_WITHOUT_SOLVERS=1"
    );
    found
}

fn int(n: i64) -> Value {
    Value::Number(Rational::from(n))
}

fn check(s: &mut dyn Solver, assumptions: &[Term]) -> Outcome {
    s.check(format_args!("a test"), assumptions)
}

#[test]
fn a_session() {
    for (name, backend) in backends(&ProcessOptions::default()) {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("größe |\\", Sort::INT));
        let (p, r) = (t.var("p", Sort::BOOL), t.var("r", Sort::REAL));
        let s = &mut *backend.solver(&t, "a session");
        assert_eq!(check(s, &[]), Outcome::Sat, "{name}");
        s.assert(t.eq(x, t.int(-5)));
        s.push();
        s.assert(t.lt(y, x));
        assert_eq!(check(s, &[]), Outcome::Sat, "{name}");
        let (low, high) = (t.le(t.int(0), y), t.le(y, t.int(10)));
        assert_eq!(check(s, &[p, high, low]), Outcome::Unsat, "{name}");
        assert_eq!(s.core(), Ok(vec![low]), "{name}");
        assert_eq!(s.core(), Ok(vec![low]), "{name}");
        assert_eq!(check(s, &[t.eq(y, t.int(-7))]), Outcome::Sat, "{name}");
        let third = t.eq(
            t.mul([r, t.real(Rational::from(3))]),
            t.real(Rational::from(-1)),
        );
        assert_eq!(s.values(&[x, y]), Ok(vec![int(-5), int(-7)]), "{name}");
        let unknown = s.values(&[r, t.add([x, y]), p]).expect("values");
        assert_eq!(unknown[1], int(-12), "{name}");
        assert_eq!(
            s.values(&[r, p]),
            Ok(vec![unknown[0].clone(), unknown[2].clone()])
        );
        s.pop();
        s.assert(third);
        assert_eq!(check(s, &[low]), Outcome::Sat, "{name}");
        let values = s.values(&[r, y]).expect("values");
        assert_eq!(values[0], Value::Number(Rational::new(-1, 3)), "{name}");
        let statistics = backend.statistics();
        assert_eq!((statistics.queries(), statistics.starts), (5, 1), "{name}");
    }
}
