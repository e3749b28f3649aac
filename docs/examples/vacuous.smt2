; Two counters go up together, as long as neither is negative.
(set-logic HORN)
(declare-fun head (Int Int) Bool)
(declare-fun overflow (Int) Bool)
(assert (head 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= x 0)) (head (+ x 1) (+ y 1)))))
; An overflow is noted, but never happens.
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (< x y)) (overflow x))))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (not (= x y))) false)))
(check-sat)
