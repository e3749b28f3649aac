//! Products and quotients of terms.

use super::session::{check_script, check_verdict};

fn check_all(table: &[(&str, &str)]) {
    for (formulas, verdict) in table {
        check_verdict(formulas, verdict);
    }
}

#[test]
fn products_are_multiplied_out() {
    check_all(&[
        ("(not (= (* x y) (* y x)))", "unsat"),
        ("(not (= (* (+ x 1) y) (+ (* y x) y)))", "unsat"),
        ("(not (= (* (+ x y) (- x y)) (- (* x x) (* y y))))", "unsat"),
        ("(not (= (* x (* y z)) (* (* z x) y)))", "unsat"),
        ("(not (= (* 3 x y) (+ (* x y) (* 2 y x))))", "unsat"),
        ("(not (= (* (to_real x) r) (* r (to_real x))))", "unsat"),
        ("(= (* x (+ y 1)) 6) (= (* x y) 4)", "sat"),
    ]);
}

#[test]
fn long_products_are_given_up() {
    let sum = |name: &str| {
        let vars: Vec<String> = (0..5).map(|i| format!("{name}{i}")).collect();
        let declared = vars.iter().map(|x| format!("(declare-const {x} Int)"));
        (
            declared.collect::<String>(),
            format!("(+ {})", vars.join(" ")),
        )
    };
    let sums = ["long-a", "long-b", "long-c"].map(sum);
    let declared: String = sums.iter().map(|(declared, _)| declared.as_str()).collect();
    let factors: Vec<&str> = sums.iter().map(|(_, sum)| sum.as_str()).collect();
    let product = format!("(* {})", factors.join(" "));
    let script = |formula: &str| format!("{declared}(assert {formula})(check-sat)");
    let unknown = "unknown: the solver gave up: a product has too many monomials";
    check_script(&script(&format!("(= {product} 1)")), &[unknown]);
    check_script(&script(&format!("(= (* 2 {product}) 0)")), &["sat"]);
    let contradiction = format!("(and (= {product} 1) (< {product} 0))");
    check_script(&script(&contradiction), &["unsat"]);
}

#[test]
fn signs_of_products() {
    check_all(&[
        ("(< (* x x) 0)", "unsat"),
        ("(> x 0) (> y 0) (<= (* x y) 0)", "unsat"),
        ("(> x 0) (< y 0) (>= (* x y) 0)", "unsat"),
        ("(< r 0.0) (< s 0.0) (<= (* r s) 0.0)", "unsat"),
        ("(= (* x y) 0) (not (= x 0)) (not (= y 0))", "unsat"),
        ("(= (* r s) 0.0) (not (= r 0.0)) (not (= s 0.0))", "unsat"),
        ("(< (* x y z) 0) (> x 0) (> y 0) (> z 0)", "unsat"),
        ("(< (* x y z) 0) (> x 0) (< y 0) (> z 0)", "sat"),
    ]);
}

#[test]
fn bounds_of_products() {
    check_all(&[
        ("(<= 0 x 5) (<= 0 y 5) (> (* x y) 25)", "unsat"),
        ("(<= 0 x 5) (<= 0 y 5) (= (* x y) 25)", "sat"),
        ("(<= 0 r 5.0) (<= 0 s 5.0) (> (* r s) 25.0)", "unsat"),
        ("(<= 2 x) (<= 3 y) (< (* x y) (+ x y))", "unsat"),
        ("(>= x 0) (<= y z) (> (* x y) (* z x))", "unsat"),
        ("(<= x 0) (<= y z) (< (* x y) (* z x))", "unsat"),
        ("(= x 7) (= (* x y) 20)", "unsat"),
        ("(= x 7) (= (* x y) 21)", "sat"),
        ("(= (* x x) 2)", "unsat"),
        ("(= (* x x) (- 1 (* y y))) (> x 0) (> y 0)", "unsat"),
        ("(<= 11 x 19) (<= 11 y 19) (= (* x y) 221)", "sat"),
        ("(<= 11 x 16) (<= 14 y 16) (= (* x y) 221)", "unsat"),
        ("(= (+ (* x x) (* y y)) (* z z)) (> x 0) (> y x)", "sat"),
    ]);
}

#[test]
fn squares_are_ordered() {
    check_all(&[
        ("(< 0 x y) (<= (* y y) (+ (* x x) x y (- 1)))", "unsat"),
        ("(<= 0 x y) (< (* y y) (* x x))", "unsat"),
        ("(<= y x 0) (< (* y y) (* x x))", "unsat"),
        ("(<= 0 x (- y)) (< (* y y) (* x x))", "unsat"),
        ("(<= 0 x) (< x y) (<= (+ (* y y) y) (+ (* x x) x))", "unsat"),
        ("(<= 0 x) (< x y) (<= (+ (* y y) y) (+ (* x x) x 2))", "sat"),
        ("(<= 0.0 r s) (< (* s s) (* r r))", "unsat"),
        ("(<= 0.0 r s) (< (* s s) (+ (* r r) 1.0))", "sat"),
        ("(< x y) (< (* y y) (* x x))", "sat"),
    ]);
}

#[test]
fn quotients_by_terms() {
    check_all(&[
        ("(> y 0) (>= x 0) (> (div x y) x)", "unsat"),
        (
            "(not (= y 0)) (not (= x (+ (* y (div x y)) (mod x y))))",
            "unsat",
        ),
        ("(> y 0) (>= (mod x y) y)", "unsat"),
        ("(< y 0) (< (mod x y) 0)", "unsat"),
        ("(= (mod x y) 3) (= (div x y) 4) (> x 20)", "sat"),
        ("(not (= s 0.0)) (not (= (* s (/ r s)) r))", "unsat"),
        ("(> r 1.0) (= (/ r s) 2.0) (< s 0.0)", "unsat"),
        // By 0, equal dividends have equal quotients, whatever they are.
        ("(= y 0) (= x z) (not (= (div x y) (div z y)))", "unsat"),
        ("(= y 0) (= x z) (not (= (mod x y) (mod z 0)))", "unsat"),
    ]);
}

#[test]
fn equations_between_factors() {
    check_all(&[
        ("(= x (+ z 1)) (not (= (* x y) (+ (* z y) y)))", "unsat"),
        (
            "(= (- x z) 1) (<= 0 z) (= (* 2 y) (* z x)) (not (= (* 2 y) (+ (* z z) z)))",
            "unsat",
        ),
        (
            "(<= x (+ z 1)) (< z x) (= (* 2 y) (* x z)) (not (= (* 2 y) (- (* x x) x)))",
            "unsat",
        ),
        (
            "(= (+ x (* 2 y)) z) (not (= (* x z) (- (* z z) (* 2 y z))))",
            "unsat",
        ),
        (
            "(= (- r s) 0.5) (not (= (* r s) (+ (* s s) (* 0.5 s))))",
            "unsat",
        ),
        ("(= (- x z) 1) (= (* x x) (+ (* z z) 7))", "sat"),
    ]);
}

#[test]
fn products_with_other_theories() {
    check_all(&[
        ("(= (f (* x y)) 1) (= (f 6) 2) (= x 2) (= y 3)", "unsat"),
        ("(= (* (f x) (f y)) 7) (= x y)", "unsat"),
        ("(= (* (f x) (f y)) 49) (= x y) (> (f x) 0)", "sat"),
        ("(= x z) (not (= (* x y) (* y z)))", "unsat"),
    ]);
}
