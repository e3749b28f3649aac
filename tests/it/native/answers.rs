//! What operators mean, and sessions: models, cores, scopes, assumptions.

use super::session::{answers, check_script, check_verdict, formulas, formulas_with, ways};
use horn::smt::native::{NativeOptions, NativeSolver};
use horn::smt::{Backend, Failure, SatResult, Solver};
use horn::term::{Sort, Terms, Value};

/// Where the premise holds, the term has this value and no other.
#[track_caller]
fn check_value(premise: &str, term: &str, value: &str) {
    check_verdict(&format!("{premise} (= {term} {value})"), "sat");
    check_verdict(&format!("{premise} (not (= {term} {value}))"), "unsat");
}

#[test]
fn operators_of_arithmetic() {
    for (premise, term, value) in [
        ("(= x 7)", "(div x 2)", "3"),
        ("(= x (- 7))", "(div x 2)", "(- 4)"),
        ("(= x 7)", "(div x (- 2))", "(- 3)"),
        ("(= x (- 7))", "(div x (- 2))", "4"),
        ("(= x 7)", "(mod x 2)", "1"),
        ("(= x (- 7))", "(mod x 2)", "1"),
        ("(= x 7)", "(mod x (- 2))", "1"),
        ("(= x (- 7))", "(mod x (- 2))", "1"),
        ("(= x (- 8))", "(mod x (- 2))", "0"),
        ("(= x 5)", "(div x 1)", "5"),
        ("(= x 5)", "(div x (- 1))", "(- 5)"),
        ("(= x 100)", "(div (div x 7) (- 3))", "(- 4)"),
        ("(= x 100)", "(mod (div x 7) (mod 17 10))", "0"),
        (
            "(= x (+ y 3)) (= y (- 5))",
            "(- (* 3 (mod (+ x y) 4)) (div x 2))",
            "4",
        ),
        ("(= (div x 5) 3) (= (mod x 5) 2)", "x", "17"),
        ("(= (div x (- 5)) 3) (= (mod x (- 5)) 2)", "x", "(- 13)"),
        ("(= x 12)", "((_ divisible 4) x)", "true"),
        ("(= x 13)", "((_ divisible 4) x)", "false"),
        ("(= x (- 5))", "(abs x)", "5"),
        ("(= x 5)", "(abs (- x 7))", "2"),
        ("(= (abs x) 4) (< x 0)", "x", "(- 4)"),
        ("(= (abs (abs (- x 3))) 0)", "x", "3"),
        ("(= x 3)", "(to_real x)", "3.0"),
        ("(= r 3.5)", "(to_int r)", "3"),
        ("(= r (- 3.5))", "(to_int r)", "(- 4)"),
        ("(= r (- 4.0))", "(to_int r)", "(- 4)"),
        ("(= r 3.5)", "(is_int r)", "false"),
        ("(= r 4.0)", "(is_int r)", "true"),
        ("(is_int r) (< 2.5 r 3.5)", "r", "3.0"),
        (
            "(= (to_int r) 2) (is_int (* 3.0 r)) (> r 2.5)",
            "r",
            "(/ 8.0 3.0)",
        ),
        ("(= (to_real x) (* 2.0 r)) (< 0.6 r 1.4)", "x", "2"),
        ("(= r 7.0)", "(/ r 2.0)", "3.5"),
        ("(= r (- (/ 1.0 3.0))) (= s (* 3.0 r))", "s", "(- 1.0)"),
        ("(= (* 2 x) (+ y 1)) (= y 5)", "x", "3"),
        ("(= x 1) (= y 2)", "(distinct x y (- y x))", "false"),
        ("(= x 1) (= y 2)", "(distinct x y (+ y x))", "true"),
        (
            "(distinct x y z) (< 0 x 4) (< 0 y 4) (< 0 z 4) (> x y z)",
            "x",
            "3",
        ),
        ("(< x y z) (= z (+ x 2))", "(- y x)", "1"),
    ] {
        check_value(premise, term, value);
    }
}

#[test]
fn operators_of_the_core_theory() {
    for (premise, term, value) in [
        ("p (not q)", "(and p q)", "false"),
        ("p (not q)", "(or q p)", "true"),
        ("p (not q)", "(=> p q)", "false"),
        ("p (not q)", "(xor p q)", "true"),
        ("p", "(xor p q p)", "q"),
        ("(= p q)", "(= p (not q))", "false"),
        ("(distinct p q) p", "q", "false"),
        ("p", "(ite p x y)", "x"),
        ("(not p)", "(ite p x y)", "y"),
        (
            "(= x 3)",
            "(ite (< x y) (ite p 1 1) (ite (< x 4) 1 2))",
            "1",
        ),
        ("(= (ite p x y) 5) (= x 4)", "p", "false"),
        ("(= x (- 2))", "(ite (< x 0) (- x) x)", "2"),
        ("(not p)", "(ite p r (+ r s))", "(+ s r)"),
        ("(= (ite p q (not q)) true) (not p)", "q", "false"),
        ("(ite p (> x 3) (< x 3)) (= x 4)", "p", "true"),
        ("p", "(ite p u v)", "u"),
        ("(= u v) (= v o)", "(= u o)", "true"),
        ("(= (ite p u v) o) (not (= u o))", "p", "false"),
        ("(= x y) (= (f x) 3)", "(f y)", "3"),
        ("(= (f 1) 4) (= (f x) 5)", "(= x 1)", "false"),
        ("(= (f (f x)) x) (= (f x) y)", "(f y)", "x"),
        ("(= x (+ y 1))", "(= (f x) (f (+ 1 y)))", "true"),
        ("(= (g u) v) (= (g v) u)", "(g (g (g u)))", "v"),
        ("(h u r) (= r s)", "(h u s)", "true"),
        ("(h u r) (not (h v r))", "(= u v)", "false"),
        ("(= (k true) 1) (= (k false) 2)", "(k (< x x))", "2"),
        ("(= (k p) 1) (= (k q) 2)", "(xor p q)", "true"),
        ("(= u (g u))", "(= (g (g (g u))) u)", "true"),
        ("(= (f (mod x 2)) 0) (= (f 1) 1)", "(mod x 2)", "0"),
        ("true", "(=> (< x y) (not (< y x)))", "true"),
    ] {
        check_value(premise, term, value);
    }
    // An element of a sort is one of as many as there need to be.
    check_verdict("(distinct u v o (g u))", "sat");
    check_verdict("(= u v) (distinct u v o)", "unsat");
}

#[test]
fn numbers_beyond_64_bits() {
    for (premise, term, value) in [
        (
            "(= (* 3 x) 110680464442257309696)",
            "x",
            "36893488147419103232",
        ),
        (
            "(= x 36893488147419103233)",
            "(mod x 36893488147419103232)",
            "1",
        ),
        (
            "(= x 36893488147419103233)",
            "(div (- x) 36893488147419103232)",
            "(- 2)",
        ),
        (
            "(= (+ (* 36893488147419103232 x) (* 36893488147419103231 y)) 1) (< (- 2) x 2)",
            "y",
            "(- 1)",
        ),
        (
            "(= x (* 4611686018427387904 y)) (= y (* 4611686018427387904 z)) (= z 4611686018427387904)",
            "x",
            "98079714615416886934934209737619787751599303819750539264",
        ),
        (
            "(= (* 1000000000000000000000000000000.0 r) 1.0)",
            "(* 500000000000000000000000000000.0 r)",
            "0.5",
        ),
        (
            "(= (* 3.0 r) 1.0) (= s (* 7.0 r)) (= (* 11.0 r) (to_real x))",
            "p",
            "q",
        ),
        (
            "(= x 9223372036854775807)",
            "(+ x x 2)",
            "18446744073709551616",
        ),
        (
            "(= x (- 9223372036854775808))",
            "(abs x)",
            "9223372036854775808",
        ),
    ] {
        if term != "p" {
            check_value(premise, term, value);
        } else {
            check_verdict(premise, "unsat");
        }
    }
}

#[test]
fn sessions() {
    for (script, expected) in [
        // Scopes.
        (
            "(assert (< x y))(push)(assert (< y x))(check-sat)(pop)(check-sat)(push)(push)(assert (= x y))(check-sat)(pop)\
             (assert (= y (+ x 1)))(check-sat)(get-value ((- y x)))(pop)(check-sat)",
            &["unsat", "sat", "unsat", "sat", "1", "sat"][..],
        ),
        (
            "(push)(pop)(check-sat)(push 3)(assert false)(check-sat)(pop 2)(check-sat)(pop)",
            &["sat", "unsat", "sat"],
        ),
        (
            "(push)(assert p)(push)(assert (not p))(pop)(check-sat)(assert (not p))(check-sat)(pop)(check-sat)",
            &["sat", "unsat", "sat"],
        ),
        (
            "(assert (= x 1))(assert (= x 2))(check-sat)(push)(check-sat)(pop)(check-sat-assuming (p))",
            &["unsat", "unsat", "unsat"],
        ),
        // What is asserted between checks, without a scope.
        (
            "(assert (or (= x 1) (= x 2)))(check-sat)(assert (not (= x 1)))(check-sat)(get-value (x))(assert (< x 2))(check-sat)",
            &["sat", "sat", "2", "unsat"],
        ),
        // The same formula in two scopes: closing one leaves the other.
        (
            "(assert (> x 3))(push)(assert (> x 3))(pop)(check-sat-assuming ((< x 3)))(check-sat)",
            &["unsat (< x 3)", "sat"],
        ),
        // Assumptions that repeat, contradict each other, or hold anyway.
        (
            "(check-sat-assuming (p p))(check-sat-assuming (p (not p)))(check-sat-assuming (p))",
            &["sat", "unsat p (not p)", "sat"],
        ),
        (
            "(check-sat-assuming (q p q (not p) p))",
            &["unsat p (not p)"],
        ),
        (
            "(check-sat-assuming (true p))(check-sat-assuming (p false q))",
            &["sat", "unsat false"],
        ),
        (
            "(assert p)(check-sat-assuming (p q))(check-sat-assuming (q (not p)))",
            &["sat", "unsat (not p)"],
        ),
        (
            "(check-sat-assuming ((> x 3) (< x 3)))(check-sat-assuming ((>= x 3) (<= x 3)))(get-value (x))",
            &["unsat (> x 3) (< x 3)", "sat", "3"],
        ),
        (
            "(check-sat-assuming ((= x 3) q (>= x 4)))(check-sat-assuming ((= x 4) q (>= x 4)))",
            &["unsat (= x 3) (>= x 4)", "sat"],
        ),
        // The stronger bound before and after the weaker one.
        (
            "(assert (>= x 6))(check-sat-assuming ((<= x 9) (<= x 5)))(check-sat-assuming ((<= x 5) (<= x 9)))",
            &["unsat (<= x 5)", "unsat (<= x 5)"],
        ),
        // Assumptions that are no literals.
        (
            "(assert (<= x y))(check-sat-assuming ((or (< (+ y 5) x) (= p q)) (xor p q) (= x y)))(check-sat-assuming ((or p q) (not p)))\
             (get-value (p q))",
            &[
                "unsat (or (< (+ y 5) x) (= p q)) (xor p q)",
                "sat",
                "false true",
            ],
        ),
        // Assumptions and scopes.
        (
            "(assert (=> p (> x 0)))(push)(assert (=> q (< x 0)))(check-sat-assuming (p q))(check-sat-assuming (p))(check-sat-assuming (q))\
             (pop)(check-sat-assuming (p q))",
            &["unsat p q", "sat", "sat", "sat"],
        ),
        // Cores leave out what is not needed.
        (
            "(assert (= (+ x y) 10))(check-sat-assuming ((> z 0) (> x 5) p (> y 5) (= r 0.0)))",
            &["unsat (> x 5) (> y 5)"],
        ),
        (
            "(assert (= (f x) 1))(check-sat-assuming (p (= x y) (= z y) (= (f z) 2)))",
            &["unsat (= x y) (= z y) (= (f z) 2)"],
        ),
        // A strict bound has a value beyond it.
        (
            "(assert (< r s))(check-sat-assuming ((> r 0.0) (< s 0.001)))(check-sat-assuming ((>= r s)))",
            &["sat", "unsat (>= r s)"],
        ),
    ] {
        check_script(script, expected);
    }
}

#[test]
fn scopes_closed_leave_nothing_behind() {
    // More than are kept before they are taken out of the clauses.
    let mut script = "(assert (< 0 x 100))".to_owned();
    let mut expected = Vec::new();
    for i in 0..100 {
        script += &format!(
            "(push)(assert (or p (= x {i})))(assert (not p))(check-sat-assuming ((< x 50)))(pop)"
        );
        script += "(check-sat)";
        let inside = (1..50).contains(&i);
        expected.extend([if inside { "sat" } else { "unsat (< x 50)" }, "sat"]);
    }
    // Where x = 0 contradicts what is asserted outside, the assumption is not needed.
    expected[0] = "unsat";
    check_script(&script, &expected);
}

#[test]
fn values_and_cores_need_their_answer() {
    for options in ways() {
        let t = Terms::new();
        let p = formulas(&t, "p")[0];
        let about = format_args!("a test");
        let mut s = NativeSolver::new(&t, &options);
        assert!(s.values(&[p]).is_err() && s.core().is_err() && s.proof().is_none());
        assert_eq!(s.check(about, &[p]), SatResult::Sat);
        assert!(s.core().is_err() && s.weaken(&[p]).is_none() && s.proof().is_none());
        s.push();
        assert!(s.values(&[p]).is_err());
        assert_eq!(s.check(about, &[p, t.not(p)]), SatResult::Unsat);
        assert!(s.values(&[p]).is_err());
        assert_eq!(s.proof().is_some(), options.proofs);
        s.assert(p);
        assert!(s.core().is_err() && s.proof().is_none());
        s.pop();
        assert!(s.core().is_err());
    }
}

/// What was not mentioned before has a value all the same, and the same one when asked again.
#[test]
fn all_terms_have_values() {
    let script = "(assert (= x 3))(check-sat)(get-value (x y (+ x 1) (mod x 2) r p (ite p 1 2) (f x)))(get-value (x y (+ x 1) \
        (mod x 2) r p (ite p 1 2) (f x)))";
    for options in ways() {
        let given = answers(&options, script);
        assert!(
            given[1].starts_with("3 ") && given[1] == given[2],
            "{given:?}"
        );
    }
}

/// A variable of a sort that the core does not know has a value as long as nothing is asked about
/// it.
#[test]
fn terms_of_other_sorts_have_values() {
    let declarations = "(declare-const x Int)(declare-const a (Array Int Bool))(declare-const b (_ BitVec 8))\
        (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)";
    for options in ways() {
        let t = Terms::new();
        let terms = formulas_with(
            &t,
            declarations,
            "(= x 3) ((_ is nil) l) (select a x) (bvult b #x01) (forall ((i Int)) (select a i))",
        );
        let mut s = NativeSolver::new(&t, &options);
        s.assert(terms[0]);
        assert_eq!(s.check(format_args!("a test"), &[]), SatResult::Sat);
        let values = s.values(&terms[..4]).expect("values");
        assert_eq!(values, [true, true, false, true].map(Value::Bool));
        let refused = s.values(&terms);
        assert!(
            matches!(refused, Err(Failure::Unsupported(_))),
            "{refused:?}"
        );
    }
}

#[test]
fn what_was_done_is_counted() {
    let t = Terms::new();
    let all = formulas(
        &t,
        "(or (< x y) (< y x)) (= (+ x y) 3) (= (- x y) 1) (> (* 2 z) 5) (< (* 2 z) 7)",
    );
    let mut s = NativeSolver::new(&t, &NativeOptions::default());
    all.iter().for_each(|&f| s.assert(f));
    assert_eq!(s.check(format_args!("a test"), &[]), SatResult::Sat);
    let counts = s.statistics();
    assert!(
        counts.pivots > 0 && counts.rows > 0 && counts.clause_bytes > 0,
        "{counts:?}"
    );
}

/// An assumption whose tree has 2^60 parts and whose graph a few hundred.
#[test]
fn assumptions_with_shared_parts() {
    let t = Terms::new();
    let mut formula = t.var("x", Sort::BOOL);
    for i in 0..60 {
        let sides = ["a", "b"].map(|name| {
            let side = t.var(&format!("{name}{i}"), Sort::BOOL);
            t.not(t.and([formula, side]))
        });
        formula = t.not(t.or(sides));
    }
    let backend = Backend::native(NativeOptions::for_engines());
    let mut solver = backend.solver(&t, "test");
    let about = format_args!("shared parts");
    assert!(matches!(solver.check(about, &[formula]), SatResult::Sat));
    solver.assert(t.not(t.var("x", Sort::BOOL)));
    let about = format_args!("shared parts");
    assert!(matches!(solver.check(about, &[formula]), SatResult::Unsat));
}
