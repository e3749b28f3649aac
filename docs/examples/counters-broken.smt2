; Two counters go up together, but for one step: they differ after the fourth.
(set-logic HORN)
(declare-fun head (Int Int) Bool)
; The loop starts with two zeros.
(assert (head 0 0))
; A state leads to the next.
(assert (forall ((x Int) (y Int)) (=> (head x y) (head (+ x 1) (ite (= x 3) (+ y 2) (+ y 1))))))
; No state has different counters.
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (not (= x y))) false)))
(check-sat)
