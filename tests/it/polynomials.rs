//! Polynomial equations in linear systems: what is proved with them, and where there are none.

use crate::certified::{read, said};
use horn::engine::polynomials::{Options, solve, suits};
use horn::term::Terms;

/// What the engine says of a text.
#[track_caller]
fn answer(text: &str) -> String {
    said(text, |system, context| {
        solve(system, &Options::default(), context)
    })
}

/// `s` is the sum of the numbers up to `n`, and then without those up to `j`. The query follows.
fn sums(query: &str) -> String {
    format!(
        "(declare-fun up (Int Int) Bool)
         (declare-fun down (Int Int Int) Bool)
         (assert (up 0 0))
         (assert (forall ((n Int) (s Int)) (=> (up n s) (up (+ n 1) (+ s n 1)))))
         (assert (forall ((n Int) (s Int)) (=> (up n s) (down n 0 s))))
         (assert (forall ((n Int) (j Int) (s Int))
           (=> (down n j s) (down n (+ j 1) (- s (+ j 1))))))
         (assert (forall ((n Int) (j Int) (s Int)) (=> (and (down n j s) {query}) false)))"
    )
}

#[test]
fn sums_of_counters_have_models() {
    assert_eq!(answer(&sums("(= j n) (not (= s 0))")), "sat");
    assert_eq!(answer(&sums("(< j n) (<= s 0)")), "sat");
    assert_eq!(answer(&sums("(> j n) (>= s 0)")), "sat");
}

#[test]
fn sums_of_counters_have_refutations() {
    assert_eq!(answer(&sums("(= j 1) (= s 2)")), "unsat by 6 facts");
}

/// Only the equations with products say that `q` is not derivable, and they hold only because it is
/// not.
#[test]
fn what_equations_with_products_exclude() {
    let text = "
        (declare-fun p (Int Int Int) Bool)
        (declare-fun n (Int) Bool)
        (declare-fun q () Bool)
        (assert (n (- 4)))
        (assert (forall ((i Int)) (=> (n i) (n 0))))
        (assert (forall ((i Int) (j Int) (k Int)) (=> (and (p i j k) (= k 6)) q)))
        (assert (forall ((i Int) (j Int) (k Int))
          (=> (and q (p i j k) (or (not (= j k)) (not (< i j)))) (p k j j))))
        (assert (forall ((i Int) (j Int) (k Int))
          (=> (and (n i) (<= (- (mod i (- 3)) (- k j)) (- 3)) (= (div (+ k i) (- 2)) (- k (+ i 3))))
              (p (+ i j) (+ j 2) (+ k 1)))))
        (assert (forall ((i Int) (j Int) (k Int)) (=> (and (p i j k) (> j 1)) false)))";
    assert_eq!(answer(text), "sat");
}

#[test]
fn systems_without_such_equations() {
    // Either step may be next, so the pairs are all pairs of natural numbers.
    let none = answer(
        "(declare-fun p (Int Int) Bool)
         (assert (p 0 0))
         (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) y))))
         (assert (forall ((x Int) (y Int)) (=> (p x y) (p x (+ y 1)))))
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 0)) false)))",
    );
    assert_eq!(none, "incomplete: no polynomial equation was found");
}

#[test]
fn systems_that_may_have_such_equations() {
    let suits = |args: &str, step: &str| {
        let t = Terms::new();
        let text = format!(
            "(declare-fun p ({args} Int) Bool)
             (assert (forall ((x {args}) (y Int)) (=> (p x y) {step})))"
        );
        suits(&t, &read(&t, text))
    };
    assert!(suits("Int", "(p x (+ x y))"));
    assert!(suits("Real", "(p (+ x 1.0) (+ y 1))"));
    assert!(!suits("Bool", "(p (not x) (+ y 1))"));
    assert!(
        !suits("Int", "(p x (* x y))"),
        "preprocessing looks for them"
    );
    assert!(!suits("(Array Int Int)", "(p (store x y y) (+ y 1))"));
}

#[test]
fn systems_without_a_query_have_models() {
    let loops = "(declare-fun p (Int Int) Bool)
         (assert (forall ((x Int) (y Int)) (p x y)))
         (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) y))))";
    assert_eq!(answer(loops), "sat");
}
