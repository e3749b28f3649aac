; A water tank with a pump: the level rises by 1 a second while the pump runs, falls by 2 otherwise, the switch reacts up to two
; seconds late. The level stays between 1 and 12.
; Hard because the bounds on the level depend on the mode and on the time since the switch was asked.
(set-logic HORN)
(set-info :status sat)

(declare-fun tank (Int Real Real) Bool) ; 0 filling, 1 filling late, 2 emptying, 3 emptying late; level, clock

(assert (tank 0 1.0 0.0))
(assert (forall ((y Real) (t Real) (d Real)) (=> (and (tank 0 y t) (>= d 0.0) (<= (+ y d) 10.0)) (tank 0 (+ y d) t))))
(assert (forall ((t Real)) (=> (tank 0 10.0 t) (tank 1 10.0 0.0))))
(assert (forall ((y Real) (t Real) (d Real))
  (=> (and (tank 1 y t) (>= d 0.0) (<= (+ t d) 2.0)) (tank 1 (+ y d) (+ t d)))))
(assert (forall ((y Real)) (=> (tank 1 y 2.0) (tank 2 y 2.0))))
(assert (forall ((y Real) (t Real) (d Real))
  (=> (and (tank 2 y t) (>= d 0.0) (>= (- y (* 2.0 d)) 5.0)) (tank 2 (- y (* 2.0 d)) t))))
(assert (forall ((t Real)) (=> (tank 2 5.0 t) (tank 3 5.0 0.0))))
(assert (forall ((y Real) (t Real) (d Real))
  (=> (and (tank 3 y t) (>= d 0.0) (<= (+ t d) 2.0)) (tank 3 (- y (* 2.0 d)) (+ t d)))))
(assert (forall ((y Real)) (=> (tank 3 y 2.0) (tank 0 y 2.0))))
(assert (forall ((m Int) (y Real) (t Real)) (=> (and (tank m y t) (or (< y 1.0) (> y 12.0))) false)))

(check-sat)
