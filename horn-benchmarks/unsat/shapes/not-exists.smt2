; Shape: a query as (not (exists …)).
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int Int) Bool)

(assert (p 0 10))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (- y 1)))))
(assert (not (exists ((x Int) (y Int)) (and (p x y) (= x y)))))

(check-sat)
