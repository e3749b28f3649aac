; Shape: formulas as arguments: (p (> x 0) (ite b x y)).
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Bool Int) Bool)

(assert (forall ((x Int) (b Bool)) (=> (> x 0) (p (> x 0) (ite b x (+ x 1))))))
(assert (forall ((b Bool) (x Int)) (=> (p b x) (p (and b (> x 0)) (+ x 1)))))
(assert (forall ((b Bool) (x Int)) (=> (and (p b x) (or (not b) (<= x 0))) false)))

(check-sat)
