; A counter that climbs by 1, then falls by 2, then stands still; the phase is a variable that moves on by itself.
; Hard because each phase has bounds of its own and they meet at the switching points.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int Int) Bool) ; phase x

(assert (head 0 0))
(assert (forall ((x Int)) (=> (and (head 0 x) (< x 60)) (head 0 (+ x 1)))))
(assert (forall ((x Int)) (=> (and (head 0 x) (>= x 60)) (head 1 x))))
(assert (forall ((x Int)) (=> (and (head 1 x) (> x 10)) (head 1 (- x 2)))))
(assert (forall ((x Int)) (=> (and (head 1 x) (<= x 10)) (head 2 x))))
(assert (forall ((x Int)) (=> (head 2 x) (head 2 x))))
(assert (forall ((p Int) (x Int)) (=> (and (head p x) (or (< x 0) (> x 60))) false)))
(assert (forall ((x Int)) (=> (and (head 2 x) (not (= x 10))) false)))

(check-sat)
