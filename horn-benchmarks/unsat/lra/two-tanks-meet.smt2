; Two tanks, one filling at rate 2 from 0, one draining at rate 3 from 10; their levels are equal at time 2, at 4 each.
; Needs an exact solution of two linear equations.
(set-logic HORN)
(set-info :status unsat)

(declare-fun tanks (Real Real Real) Bool) ; time, first, second

(assert (tanks 0.0 0.0 10.0))
(assert (forall ((t Real) (x Real) (y Real) (d Real))
  (=> (and (tanks t x y) (>= d 0.0) (>= y (* 3.0 d))) (tanks (+ t d) (+ x (* 2.0 d)) (- y (* 3.0 d))))))
(assert (forall ((t Real) (x Real) (y Real)) (=> (and (tanks t x y) (= x y)) false)))

(check-sat)
