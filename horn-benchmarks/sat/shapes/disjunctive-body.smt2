; Shape: a body with a disjunction over predicates; it stands for two clauses.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Int) Bool)

(assert (p 2))
(assert (q 4))
(assert (forall ((x Int)) (=> (or (p x) (q x)) (r x))))
(assert (forall ((x Int)) (=> (r x) (r (+ x 2)))))
(assert (forall ((x Int)) (=> (and (r x) (or (< x 2) (= x 3))) false)))

(check-sat)
