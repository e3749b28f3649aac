//! Checks that end without an answer: budgets, limits, and what is not supported.

use super::session::{check_script, formulas};
use crate::solvers::solver_found;
use crate::time::PROMPTLY;
use horn::smt::native::{Budget, NativeOptions, NativeSolver};
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, CancelToken, Failure, Limit, SatResult, Solver};
use horn::term::{BvOp, Sort, Term, Terms};
use std::time::{Duration, Instant};

/// That many pigeons in one hole fewer: short to say, and long to refute by resolution.
fn pigeons(t: &Terms, count: usize) -> Vec<Term> {
    let at = |pigeon: usize, hole: usize| t.var(&format!("p{pigeon}@{hole}"), Sort::BOOL);
    let mut formulas: Vec<Term> = (0..count)
        .map(|pigeon| t.or((1..count).map(|hole| at(pigeon, hole))))
        .collect();
    for hole in 1..count {
        for one in 0..count {
            formulas.extend((0..one).map(|other| t.not(t.and([at(one, hole), at(other, hole)]))));
        }
    }
    formulas
}

/// Inequalities between real variables that take some pivots.
fn ring(t: &Terms, length: i64) -> Vec<Term> {
    let var = |i: i64| t.var(&format!("r{}", i % length), Sort::REAL);
    let link = |i: i64| {
        let left = [
            var(i),
            t.scale(3.into(), var(i + 1)),
            t.scale((-2).into(), var(3 * i + 2)),
        ];
        t.ge(
            t.add(left),
            t.add([var(5 * i + 3), t.real((i % 7 + 1).into())]),
        )
    };
    (0..2 * length).map(link).collect()
}

#[test]
fn budgets_are_the_same_in_every_run() {
    let integers = "(<= 27 (+ (* 11 x) (* 13 y)) 45) (<= (- 10) (- (* 7 x) (* 9 y)) 4)";
    let why = "the limit on integer splits is reached";
    let no_more_splits = Failure::Incomplete(why.to_owned());
    for (what, make, (ticks, splits), given_up) in [
        (
            "conflicts",
            &(|t: &Terms| pigeons(t, 7)) as &dyn Fn(&Terms) -> Vec<Term>,
            (Some(5_000), u64::MAX),
            Failure::Timeout,
        ),
        (
            "pivots",
            &|t| ring(t, 60),
            (Some(5_000), u64::MAX),
            Failure::Timeout,
        ),
        (
            "integer splits",
            &|t| formulas(t, integers),
            (None, 1),
            no_more_splits,
        ),
    ] {
        let run = |ticks: Option<u64>, splits: u64| {
            let t = Terms::new();
            let budget = Budget {
                splits,
                ..Budget::default()
            };
            let options = NativeOptions {
                budget,
                ..NativeOptions::default()
            };
            let mut solver = NativeSolver::new(&t, &options);
            let assumptions = make(&t);
            if let Some(ticks) = ticks {
                solver.set_limit(Limit::none().part(ticks));
            }
            let outcome = solver.check(format_args!("a hard question"), &assumptions);
            // It is of use afterwards.
            solver.set_limit(Limit::none());
            assert_eq!(
                solver.check(format_args!("an easy one"), &[Term::FALSE]),
                SatResult::Unsat
            );
            (outcome, solver.statistics())
        };
        let limited = run(ticks, splits);
        assert_eq!(limited.0, SatResult::Unknown(given_up), "{what}");
        assert_eq!(limited, run(ticks, splits), "{what}");
        let whole = run(None, u64::MAX);
        assert!(
            !matches!(whole.0, SatResult::Unknown(_)),
            "{what}: {:?}",
            whole.0
        );
        assert_eq!(whole, run(None, u64::MAX), "{what}");
    }
}

#[test]
fn a_limit_ends_a_check() {
    let t = Terms::new();
    let mut solver = NativeSolver::new(&t, &NativeOptions::for_engines());
    let about = format_args!("a hard question");
    let p = formulas(&t, "p")[0];
    solver.assert(p);
    pigeons(&t, 14).into_iter().for_each(|f| solver.assert(f));
    for milliseconds in [0, 1, 100] {
        let limit = Duration::from_millis(milliseconds);
        let begun = Instant::now();
        solver.set_limit(Limit::none().within(limit));
        assert_eq!(
            solver.check(about, &[]),
            SatResult::Unknown(Failure::Timeout)
        );
        let late = begun.elapsed().saturating_sub(limit);
        assert!(late < PROMPTLY, "{late:?} late");
    }
    let cancel = CancelToken::new();
    let limit = Limit::new(None, cancel.clone());
    solver.set_limit(limit);
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        cancel.cancel();
    });
    assert_eq!(
        solver.check(about, &[]),
        SatResult::Unknown(Failure::Cancelled)
    );
    canceller.join().expect("it only cancels");
    // Before it begins, too.
    assert_eq!(
        solver.check(about, &[]),
        SatResult::Unknown(Failure::Cancelled)
    );
    // Nothing is forgotten.
    solver.set_limit(Limit::none());
    assert_eq!(solver.check(about, &[t.not(p)]), SatResult::Unsat);
}

/// What was asked of a scope that is closed, or of a formula that is no longer assumed, costs
/// nothing later.
#[test]
fn what_is_over_is_over() {
    /// Ticks of a question: few for the hard one, and many for the easy one.
    const TICKS: u64 = 50_000;
    for in_scope in [true, false] {
        let t = Terms::new();
        let mut solver = NativeSolver::new(&t, &NativeOptions::default());
        let hard = t.and(pigeons(&t, 8));
        solver.push();
        if in_scope {
            solver.assert(hard);
        }
        let assumptions = if in_scope { vec![] } else { vec![hard] };
        solver.set_limit(Limit::none().part(TICKS));
        let hard = solver.check(format_args!("a hard question"), &assumptions);
        assert_eq!(hard, SatResult::Unknown(Failure::Timeout));
        solver.pop();
        solver.set_limit(Limit::none().part(TICKS));
        assert_eq!(
            solver.check(format_args!("an easy one"), &[]),
            SatResult::Sat,
            "{in_scope}"
        );
    }
}

/// Constants of sorts that the core does not know, beside those of the tables.
const OTHERS: &str = "(declare-const b (_ BitVec 2000))";

#[test]
fn what_is_not_supported_is_named() {
    for (formula, what) in [
        ("(= (bvmul b b) b)", "(bvmul b b)"),
        (
            "(forall ((i Int)) (> (f i) x))",
            "(forall ((i Int)) (< x (f i)))",
        ),
    ] {
        let unknown = format!("unknown: not supported: {what} (by the embedded core)");
        // It is so while it is asserted or assumed, and no longer.
        let script = format!(
            "{OTHERS}(assert p)(check-sat)(push)(assert {formula})(push)(check-sat)(pop)(pop)(check-sat)\
             (check-sat-assuming ({formula}))(check-sat-assuming ((not p)))"
        );
        check_script(
            &script,
            &["sat", &unknown, "sat", &unknown, "unsat (not p)"],
        );
    }
}

#[test]
fn an_external_solver_is_asked_what_is_not_supported() {
    let t = Terms::new();
    let [i, j, n] = ["i", "j", "n"].map(|name| t.var(name, Sort::INT));
    let greatest = t.forall(&[j], t.le(j, i));
    let about = format_args!("a test");
    let unsupported =
        |outcome: &SatResult| matches!(outcome, SatResult::Unknown(Failure::Unsupported(_)));
    // What is asserted beside, in which scope, and a question without quantifiers afterwards.
    let session = |backend: &Backend| {
        let mut s = backend.solver(&t, "a session");
        s.assert(t.lt(i, n));
        let before = s.check(about, &[t.lt(n, i)]);
        s.push();
        s.assert(greatest);
        let inside = s.check(about, &[]);
        s.pop();
        let after = s.check(about, &[t.not(greatest)]);
        (
            before,
            inside,
            after,
            s.check(about, &[t.eq(i, t.int(7))]),
            s.values(&[i]),
        )
    };
    let alone = session(&Backend::native(NativeOptions::default()));
    assert_eq!((&alone.0, &alone.3), (&SatResult::Unsat, &SatResult::Sat));
    assert!(unsupported(&alone.1) && unsupported(&alone.2), "{alone:?}");
    assert_eq!(alone.4, Ok(vec![7.into()]));
    if std::env::var_os("HORN_SOLVER").is_some() || !solver_found(None) {
        return;
    }
    let (both, _) = Backend::choose(None, ProcessOptions::default()).expect("a back end");
    for backend in [&both, &both.proving()] {
        let together = session(backend);
        assert_eq!(together.1, SatResult::Unsat, "{together:?}");
        assert_eq!((&together.0, &together.3), (&alone.0, &alone.3));
        assert_eq!(together.2, SatResult::Sat);
        assert_eq!(together.4, Ok(vec![7.into()]));
    }
    // One process, for the questions that the core did not answer.
    assert_eq!(both.statistics().processes.starts, 2);
}

#[test]
fn what_contradicts_itself_without_what_is_not_supported_is_unsat() {
    let t = Terms::new();
    let [j, n] = ["j", "n"].map(|name| t.var(name, Sort::INT));
    let about = format_args!("a test");
    // Numbers of vectors that are too wide.
    let wide = t.bitvec_sort(2000);
    let [u, v, w] = ["u", "v", "w"].map(|name| t.var(name, wide));
    let product = |x, y| t.bv(BvOp::ToNat, &[t.bv(BvOp::Mul, &[x, y])]);
    let (first, second) = (product(u, w), product(u, v));
    let nested = product(w, t.bv(BvOp::FromInt(2000), &[second]));
    let low = |x| t.le(x, t.int(0));
    let high = |x| t.lt(t.int(5), x);
    for backend in [
        Backend::native(NativeOptions::for_engines()),
        Backend::native(NativeOptions::for_engines()).proving(),
    ] {
        let mut s = backend.solver(&t, "a session");
        s.assert(t.le(n, first));
        s.push();
        s.assert(low(first));
        // The same product; another may be anything.
        let questions = [
            (
                vec![high(j), t.lt(t.int(1), n)],
                Some(vec![t.lt(t.int(1), n)]),
            ),
            (vec![high(product(v, w))], None),
            (
                vec![high(nested), low(nested)],
                Some(vec![high(nested), low(nested)]),
            ),
            (vec![high(nested), low(second)], None),
            (
                vec![high(second), t.lt(second, t.int(3))],
                Some(vec![high(second), t.lt(second, t.int(3))]),
            ),
        ];
        for (assumptions, core) in questions {
            let outcome = s.check(about, &assumptions);
            let is_open = matches!(outcome, SatResult::Unknown(Failure::Unsupported(_)));
            assert_eq!(
                (outcome == SatResult::Unsat, is_open),
                (core.is_some(), core.is_none())
            );
            if let Some(expected) = core {
                let mut core = s.core().expect("a core");
                core.sort_unstable();
                let mut expected = expected;
                expected.sort_unstable();
                assert_eq!(core, expected);
            }
        }
        s.pop();
        assert!(matches!(s.check(about, &[]), SatResult::Unknown(_)));
    }
}

#[test]
fn weaker_cubes_speak_of_what_is_not_supported() {
    let t = Terms::new();
    let [i, j, n] = ["i", "j", "n"].map(|name| t.var(name, Sort::INT));
    let product = t.mul([i, j]);
    let backend = Backend::native(NativeOptions::for_engines());
    let mut s = backend.solver(&t, "a session");
    // i·j + n ≥ 10, and i·j ≤ 2, n ≤ 3.
    s.assert(t.le(t.int(10), t.add([product, n])));
    let cube = [t.le(product, t.int(2)), t.le(n, t.int(3))];
    assert_eq!(s.check(format_args!("a test"), &cube), SatResult::Unsat);
    let weaker = s.weaken(&cube).expect("a sum of both");
    let parts: Vec<Term> = weaker
        .iter()
        .flat_map(|&f| t.post_order([f]).collect::<Vec<_>>())
        .collect();
    assert!(
        parts.contains(&j),
        "{:?}",
        weaker
            .iter()
            .map(|&f| t.display(f).to_string())
            .collect::<Vec<_>>()
    );
}
