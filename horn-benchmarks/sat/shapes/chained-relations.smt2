; Shape: relations with more than two arguments: (< 0 x y 10), (= x y z), (distinct x y z), (>= x y z).
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int Int Int) Bool)

(assert (forall ((x Int) (y Int) (z Int)) (=> (and (< 0 x y z 10) (distinct (+ x 1) y z)) (p x y z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p z x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (or (= x y) (= y z) (= x z) (>= x 10) (<= 0 y (- 1) z))) false)))

(check-sat)
