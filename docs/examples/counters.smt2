; Two counters go up together: they are always equal.
(set-logic HORN)
(declare-fun head (Int Int) Bool)
; The loop starts with two zeros.
(assert (head 0 0))
; A state leads to the next.
(assert (forall ((x Int) (y Int)) (=> (head x y) (head (+ x 1) (+ y 1)))))
; No state has different counters.
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (not (= x y))) false)))
(check-sat)
