; Shape: quantifiers one inside the other, an inner one shadowing an outer one, and variables that do not occur.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int Int) Bool)

(assert (forall ((x Int)) (forall ((y Int) (unused Bool)) (=> (and (= x 1) (= y 2)) (p x y)))))
(assert (forall ((x Int)) (forall ((y Int)) (=> (p x y) (forall ((x Int)) (=> (> x 5) (p x y)))))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (and (= y 2) (or (= x 1) (> x 5))))))

(check-sat)
