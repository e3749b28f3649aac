; Shape: a head that is a disjunction of constraints and one atom: the constraints belong to the body, negated.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (or (> x 20) (p (+ x 3)) (= x 18)))))
(assert (forall ((x Int)) (=> (p x) (or (q x) (<= x 10)))))
(assert (forall ((x Int)) (=> (q x) (and (> x 10) (<= x 18)))))

(check-sat)
