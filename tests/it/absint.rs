//! What abstract interpretation says of a system must hold of everything that the system derives.

use horn::absint::{Precision, PredState, analyze};
use horn::smt::native::NativeOptions;
use horn::smt::{Backend, Limit};
use horn::smtlib::{Source, read_system};
use horn::term::{Evaluator, Sort, Terms, Unspecified, Value};

/// Ackermann's function, whose sums with its arguments are bounded for a while.
const ACKERMANN: &str = "(declare-fun ack (Int Int Int) Bool)
    (assert (forall ((n Int)) (=> (>= n 0) (ack 0 n (+ n 1)))))
    (assert (forall ((m Int) (r Int)) (=> (and (> m 0) (ack (- m 1) 1 r)) (ack m 0 r))))
    (assert (forall ((m Int) (n Int) (t Int) (r Int))
      (=> (and (> m 0) (> n 0) (ack m (- n 1) t) (ack (- m 1) t r)) (ack m n r))))
    (assert (=> (ack 2 3 9) false))";

#[test]
fn what_is_known_holds_of_what_is_derivable() {
    let points = [
        [0, 0, 1],
        [0, 5, 6],
        [0, 99, 100],
        [1, 0, 2],
        [1, 7, 9],
        [2, 3, 9],
        [3, 2, 29],
    ];
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("test", ACKERMANN)).expect("it is right");
    let params = |_| (0..3).map(|_| t.fresh_var("x", Sort::INT)).collect();
    let backend = Backend::native(NativeOptions::for_engines());
    let (precision, limit) = (Precision::Bounds, Limit::none());
    let known = analyze(&t, &system, params, precision, &backend, &limit).expect("no limit");
    let literals = known[0].literals(&t);
    assert!(!literals.is_empty(), "no argument is negative");
    for point in points {
        let values = point.map(|x: i64| Value::Number(x.into()));
        let pairs = known[0].params().iter().copied().zip(values);
        let mut evaluator = Evaluator::with(&t, Unspecified::Refuse, pairs);
        for &literal in &literals {
            assert!(
                evaluator.holds(literal),
                "{} at {point:?}",
                t.display(literal)
            );
        }
    }
}

const LOOP: &str = "(declare-fun p (Int Int) Bool)
    (assert (p 0 0))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 9)) (p (+ x 1) (+ y 2)))))
    (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y 18)) false)))";

/// What is found of the arguments `x`, `y` of a predicate.
fn found(text: &str, precision: Precision) -> Vec<String> {
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("test", text)).expect("it is right");
    let params = |_| ["x", "y"].map(|name| t.var(name, Sort::INT)).to_vec();
    let backend = Backend::native(NativeOptions::for_engines());
    let known: Vec<PredState> =
        analyze(&t, &system, params, precision, &backend, &Limit::none()).expect("no limit");
    let literals = known[0].literals(&t).into_iter();
    literals.map(|l| t.display(l).to_string()).collect()
}

#[test]
fn bounds_are_looked_for_if_wanted() {
    let equations = found(LOOP, Precision::Equations);
    assert_eq!(equations.len(), 1, "{equations:?}");
    let bounds = found(LOOP, Precision::Bounds);
    assert!(bounds.starts_with(&equations), "{bounds:?}");
    for bound in ["(<= 0 x)", "(<= 0 y)"] {
        assert!(bounds.iter().any(|l| l == bound), "{bound} in {bounds:?}");
    }
}

#[test]
fn of_what_no_core_decides_nothing_is_known() {
    // y is never negative since it is the number of a vector, which is too wide for the core.
    let text = "(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (< 0 x) (< 0 y)) (p x y))))
        (assert (forall ((x Int) (y Int) (b (_ BitVec 2000)))
          (=> (p x y) (p x (bv2nat (bvmul b b))))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< y 0)) false)))";
    let bounds = found(text, Precision::Bounds);
    assert!(bounds.iter().any(|l| l.contains('x')), "{bounds:?}");
    assert!(!bounds.iter().any(|l| l.contains('y')), "{bounds:?}");
}
