; Two clocks run at the same rate and are reset at different times: their difference never exceeds the period of resets.
; Hard a little: the invariant is a difference bound with a strict and a weak side.
(set-logic HORN)
(set-info :status sat)

(declare-fun clocks (Real Real) Bool)

(assert (clocks 0.0 0.0))
(assert (forall ((x Real) (y Real) (d Real)) (=> (and (clocks x y) (> d 0.0) (<= (+ x d) 3.0)) (clocks (+ x d) (+ y d)))))
(assert (forall ((x Real) (y Real)) (=> (and (clocks x y) (= x 3.0) (>= y 6.0)) (clocks 0.0 0.0))))
(assert (forall ((x Real) (y Real)) (=> (and (clocks x y) (= x 3.0) (< y 6.0)) (clocks 0.0 y))))
(assert (forall ((x Real) (y Real)) (=> (and (clocks x y) (or (< (- y x) 0.0) (> (- y x) 6.0) (> y 9.0))) false)))

(check-sat)
