; Two counters go up together or down together; when one is back at 0, so is the other.
; Easy with equalities, endless without: no interval bounds either counter.
; Invariant: x = y.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int Int) Bool)

(assert (head 0 0))
(assert (forall ((x Int) (y Int)) (=> (head x y) (head (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (head x y) (head (- x 1) (- y 1)))))
(assert (forall ((y Int)) (=> (and (head 0 y) (not (= y 0))) false)))

(check-sat)
