; The tank of sat/lra/water-tank with a switch that reacts up to three seconds late: the level can reach 13.
; Refuted by letting time pass in two modes; the delays have to be chosen at their limits.
(set-logic HORN)
(set-info :status unsat)

(declare-fun tank (Int Real Real) Bool)

(assert (tank 0 1.0 0.0))
(assert (forall ((y Real) (t Real) (d Real)) (=> (and (tank 0 y t) (>= d 0.0) (<= (+ y d) 10.0)) (tank 0 (+ y d) t))))
(assert (forall ((t Real)) (=> (tank 0 10.0 t) (tank 1 10.0 0.0))))
(assert (forall ((y Real) (t Real) (d Real))
  (=> (and (tank 1 y t) (>= d 0.0) (<= (+ t d) 3.0)) (tank 1 (+ y d) (+ t d)))))
(assert (forall ((y Real)) (=> (tank 1 y 3.0) (tank 2 y 3.0))))
(assert (forall ((y Real) (t Real) (d Real))
  (=> (and (tank 2 y t) (>= d 0.0) (>= (- y (* 2.0 d)) 5.0)) (tank 2 (- y (* 2.0 d)) t))))
(assert (forall ((m Int) (y Real) (t Real)) (=> (and (tank m y t) (> y 12.0)) false)))

(check-sat)
