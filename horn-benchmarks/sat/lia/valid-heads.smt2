; Clauses that hold whatever the predicates mean, their heads being valid constraints; and a body that is false.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)

(assert (forall ((x Int)) (=> (p x) (or (< x 5) (>= x 5)))))
(assert (forall ((x Int)) (=> (and (< x 0) (> x 0)) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x x)) false)))

(check-sat)
