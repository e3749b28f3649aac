//! Integers without bounds, where division into cases by variables alone would go on for ever.

use super::session::{answers, check_script, check_verdict, ways};
use horn::smt::native::{Budget, NativeOptions};
use horn::work::spent;

#[test]
fn equations_without_integer_solutions() {
    for (formulas, verdict) in [
        ("(= (- (* 3 x) (* 3 y)) 1)", "unsat"),
        ("(= (+ (* 2 x) (* 4 y)) 7)", "unsat"),
        ("(= (+ (* 6 x) (* 10 y) (* 15 z)) 1)", "sat"),
        ("(= (+ (* 6 x) (* 10 y) (* 14 z)) 1)", "unsat"),
        ("(= (+ x y) (* 2 z)) (= (- x y) (+ (* 2 w) 1))", "unsat"),
        ("(= (+ x y) (* 2 z)) (= (- x y) (* 2 w))", "sat"),
        ("(= (+ x y z) (* 2 w)) (= (+ x y) (+ z 1))", "unsat"),
        (
            "(= (* 2 x) (* 3 y)) (= (* 3 y) (+ (* 5 z) 1)) (= w (* 7 x))",
            "sat",
        ),
        (
            "(= (* 4 x) (+ (* 6 y) 2)) (= (* 6 y) (+ (* 8 z) 4))",
            "unsat",
        ),
        (
            "(= (+ (* 12 x) (* 18 y)) 30) (= (+ (* 2 x) (* 3 y)) 6)",
            "unsat",
        ),
        ("(= (+ (* 5 x) (* 7 y)) 1) (= (+ (* 3 x) (* 4 z)) 2)", "sat"),
        ("(= (to_real x) (+ (to_real y) 0.5))", "unsat"),
    ] {
        check_verdict(formulas, verdict);
    }
}

#[test]
fn inequalities_without_integer_solutions() {
    for (formulas, verdict) in [
        ("(< 0 (- (* 2 x) (* 2 y)) 2)", "unsat"),
        ("(< 0 (- (* 3 x) (* 3 y)) 3)", "unsat"),
        ("(<= 1 (- (* 3 x) (* 6 y)) 2)", "unsat"),
        ("(<= 1 (- (* 3 x) (* 6 y)) 3)", "sat"),
        (
            "(<= 0 (- x (* 3 y)) 2) (<= 0 (- x (* 3 z)) 2) (not (= y z))",
            "unsat",
        ),
        (
            "(<= 0 (- x (* 3 y)) 3) (<= 0 (- x (* 3 z)) 2) (not (= y z))",
            "sat",
        ),
        ("(= x (* 3 y)) (= (+ x 1) (* 3 z))", "unsat"),
        (
            "(= x (+ (* 2 y) z)) (= x (+ (* 2 w) 1)) (<= 0 z 1) (= z 0)",
            "unsat",
        ),
        (
            "(< (* 2 y) (* 3 x)) (< (* 3 x) (+ (* 2 y) 2)) (= y (* 3 z))",
            "unsat",
        ),
        (
            "(<= 27 (+ (* 11 x) (* 13 y)) 45) (<= (- 10) (- (* 7 x) (* 9 y)) 4)",
            "unsat",
        ),
        (
            "(< (* 5 x) (* 7 y)) (< (* 7 y) (+ (* 5 x) 2)) (> x 1000)",
            "sat",
        ),
        (
            "(= (mod x 2) 0) (= (mod y 2) 0) (= (mod (+ x y) 2) 1)",
            "unsat",
        ),
        ("(= (mod x 6) 5) (= (mod x 4) 2)", "unsat"),
        ("(= (mod x 6) 5) (= (mod x 4) 3) (> x 1000)", "sat"),
        ("(= (div x 2) y) (= (div x 3) z) (= y z) (> x 3)", "unsat"),
        ("(= (mod (* 3 x) 9) 1)", "unsat"),
        ("(not (= (mod (+ x 6) 3) (mod x 3)))", "unsat"),
        ("(not (= (div (+ x 6) 3) (+ (div x 3) 2)))", "unsat"),
        (
            "(or (= (* 2 x) (+ (* 2 y) 1)) (< (* 2 z) (+ (* 2 w) 1) (+ (* 2 z) 1)))",
            "unsat",
        ),
    ] {
        check_verdict(formulas, verdict);
    }
}

/// Divisions into cases do not outlast the question that they were made for.
#[test]
fn cases_and_assumptions() {
    check_script(
        "(assert (= (+ x y) (* 2 z)))(check-sat-assuming (p (= (- x y) (+ 1 (* 2 w)))))(check-sat-assuming (p (= (- x y) (* 2 w))))\
         (push)(assert (< 0 (- (* 2 z) (* 2 w)) 2))(check-sat)(pop)(check-sat-assuming ((= (* 2 x) 1)))(check-sat)",
        &[
            "unsat (= (- x y) (+ 1 (* 2 w)))",
            "sat",
            "unsat",
            "unsat (= (* 2 x) 1)",
            "sat",
        ],
    );
}

/// Real variables between integers that have no bounds.
#[test]
fn mixed_equations_without_solutions() {
    for (formulas, verdict) in [
        ("(= r (+ (to_real x) 0.5)) (= r (to_real y))", "unsat"),
        ("(< r 1.0) (> r 0.0) (is_int (+ r (to_real x)))", "unsat"),
        (
            "(= (+ r s) (to_real x)) (= (- r s) (to_real y)) (= (* 2.0 r) (to_real (+ x y 1)))",
            "unsat",
        ),
    ] {
        check_verdict(formulas, verdict);
    }
}

/// Numbers without bounds whose parities do not agree: the cut is found among bounds of several
/// equations, and not with bounds that come from divisions before.
#[test]
fn parities_need_few_divisions() {
    // Of a number, and of the half of n: the one implies the other.
    let half = |p: &str| {
        let small = format!("(and (<= (- n {p}) 1) (<= 0 (- n m {p})) (<= 1 m))");
        format!(
            "(let ((s {small}) (c (< low high)))
                (or (and (or (<= 0 n) s) (or (<= (- n m) 0) c s) (or (<= m 0) s c)) c s))"
        )
    };
    let declared = ["n", "m", "half", "low", "high"].map(|x| format!("(declare-fun {x} () Int)"));
    let elimination = format!(
        "{} (assert {}) (assert (not {})) (check-sat)",
        declared.concat(),
        half("(* 2 half)"),
        half("(* (- 2) (div (- 1 n) 2))")
    );
    // A counter, and the parity of its last value that was kept.
    let path = |first: &str| {
        let mut text = String::new();
        for k in 0..10 {
            for name in ["at", "kept", "of"] {
                text += &format!("(declare-fun {name}{k} () Int)");
            }
        }
        text += &format!("(assert (and (< kept0 at0) (<= 0 kept0) {first}))");
        for (k, l) in (0..9).zip(1..) {
            text += &format!(
                "(assert (= at{l} (+ at{k} 1)))
                 (assert (or (and (not (= at{k} kept{k})) (= kept{l} kept{k}) (= of{l} of{k}))
                             (and (= kept{l} at{k}) (= of{l} (mod at{k} 2)))))"
            );
        }
        text + "(assert (not (= of9 (mod kept9 2)))) (check-sat)"
    };
    let budget = Budget {
        splits: 200,
        ..Budget::default()
    };
    for (script, expected) in [
        (elimination, "unsat"),
        (path("true"), "sat"),
        (path("(= of0 (mod kept0 2))"), "unsat"),
    ] {
        for options in ways() {
            let found = answers(&NativeOptions { budget, ..options }, &script);
            assert!(found[0].starts_with(expected), "{found:?}: {script}");
        }
    }
}

/// Little work is needed where numbers are large: coefficients of cuts do not grow, and what
/// questions leave behind needs no cases.
#[test]
fn large_numbers_within_a_budget() {
    /// The ticks of a script: twice the largest number that was measured.
    const MOST_TICKS: u64 = 400_000;
    let budget = Budget {
        splits: 50,
        ..Budget::default()
    };
    for (script, expected) in [
        (
            include_str!("../../fuzz/smt/found/wide-cuts.smt2"),
            &["sat", "sat", "sat"] as &[&str],
        ),
        (
            include_str!("../../fuzz/smt/found/wide-cuts-under-ite.smt2"),
            &["sat"],
        ),
        (
            include_str!("../../fuzz/smt/found/left-behind.smt2"),
            &["sat", "unsat", "sat"],
        ),
    ] {
        for options in ways() {
            let before = spent();
            let found = answers(&NativeOptions { budget, ..options }, script);
            let ticks = spent() - before;
            assert!(ticks <= MOST_TICKS, "{ticks} ticks: {script}");
            let found = found.iter().map(|a| a.split(' ').next());
            assert!(found.eq(expected.iter().map(|&e| Some(e))), "{script}");
        }
    }
}
