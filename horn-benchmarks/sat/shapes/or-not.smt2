; Shape: clauses as disjunctions, (or (not body) … head), in any order of the literals.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)

(assert (forall ((x Int)) (or (not (= x 0)) (p x))))
(assert (forall ((x Int)) (or (p (+ x 1)) (not (p x)) (>= x 10))))
(assert (forall ((x Int)) (or (<= x 10) (not (p x)))))

(check-sat)
