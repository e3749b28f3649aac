; Shape: a bound variable with the name of a predicate hides it.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (p 2))
(assert (forall ((q Int)) (=> (p q) (p (+ q 1)))))
(assert (forall ((x Int)) (=> (p x) (q x))))
(assert (not (q 4)))

(check-sat)
