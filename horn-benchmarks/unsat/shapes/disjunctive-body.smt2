; Shape: a disjunction over conjunctions of predicates and constraints; only its second branch leads to the error.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Int) Bool)

(assert (p 2))
(assert (q 4))
(assert (forall ((x Int) (y Int)) (=> (or (and (p x) (p y) (< x y)) (and (p x) (q y) (< x y))) (r (+ x y)))))
(assert (not (r 6)))

(check-sat)
