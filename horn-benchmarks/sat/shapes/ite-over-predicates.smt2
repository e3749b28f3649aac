; Shape: ite whose branches are predicates, in a body.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Int) Bool)

(assert (p 1))
(assert (q (- 1)))
(assert (forall ((x Int)) (=> (ite (> x 0) (p x) (q x)) (r x))))
(assert (forall ((x Int)) (=> (and (r x) (not (= x 1)) (not (= x (- 1)))) false)))

(check-sat)
