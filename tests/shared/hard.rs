//! A system that keeps a solver busy.

/// No engine decides this within seconds: the product of two numbers above 1 is never one of these
/// primes.
pub(crate) const HARD: &str = "(set-logic HORN)
(declare-fun p (Int Int Int Int) Bool)
(assert (forall ((a Int) (b Int)) (=> (and (> a 1) (> b 1)) (p a b 0 0))))
(assert (forall ((a Int) (b Int) (i Int) (s Int)) (=> (and (p a b i s) (< i a)) (p a b (+ i 1) (+ s b)))))
(assert (forall ((a Int) (b Int) (i Int) (s Int)) (=> (and (p a b i s) (= i a) (= s 1000003)) false)))
(check-sat)
";
