; Shape: a query as (not (exists …)), with a Boolean combination inside.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int Int) Bool)

(assert (p 0 9))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (- y 1)))))
(assert (not (exists ((x Int) (y Int)) (and (p x y) (or (= x y) (not (= (+ x y) 9)))))))

(check-sat)
