; Shape: clauses as disjunctions, with a query that has two negated atoms and no head.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (forall ((x Int)) (or (p x) (not (= x 0)))))
(assert (forall ((x Int)) (or (not (p x)) (p (+ x 1)))))
(assert (forall ((x Int)) (or (not (p x)) (q (- x)))))
(assert (forall ((x Int)) (or (not (p x)) (not (q (- 4))) (not (= x 2)))))

(check-sat)
