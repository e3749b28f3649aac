; A car before an obstacle halves its speed in each step in which its distance is at most four times its speed: it never
; arrives.
; Hard because speed and distance shrink together, by steps; the invariant is distance > speed.
(set-logic HORN)
(set-info :status sat)

(declare-fun car (Real Real) Bool) ; distance, speed

(assert (forall ((v Real)) (=> (and (> v 0.0)) (car (* 10.0 v) v))))
(assert (forall ((s Real) (v Real)) (=> (and (car s v) (> s (* 4.0 v))) (car (- s v) v))))
(assert (forall ((s Real) (v Real)) (=> (and (car s v) (<= s (* 4.0 v))) (car (- s (/ v 2.0)) (/ v 2.0)))))
(assert (forall ((s Real) (v Real)) (=> (and (car s v) (<= s 0.0)) false)))

(check-sat)
