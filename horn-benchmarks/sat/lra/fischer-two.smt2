; Fischer's timed mutual exclusion for two processes: a request is written within 1 time unit and read again only after
; more than 1. Both critical: never.
; Hard because safety rests on a strict inequality between two delays, with two clocks and a shared variable.
(set-logic HORN)
(set-info :status sat)

(declare-fun st (Int Real Int Real Int) Bool) ; pc1 clock1 pc2 clock2 id; pc 0 idle 1 setting 2 waiting 3 critical

(assert (st 0 0.0 0 0.0 0))
(assert (forall ((p Int) (x Real) (q Int) (y Real) (id Int) (d Real))
  (=> (and (st p x q y id) (>= d 0.0) (=> (= p 1) (<= (+ x d) 1.0)) (=> (= q 1) (<= (+ y d) 1.0)))
      (st p (+ x d) q (+ y d) id))))
(assert (forall ((x Real) (q Int) (y Real)) (=> (st 0 x q y 0) (st 1 0.0 q y 0))))
(assert (forall ((x Real) (q Int) (y Real) (id Int)) (=> (st 1 x q y id) (st 2 0.0 q y 1))))
(assert (forall ((x Real) (q Int) (y Real)) (=> (and (st 2 x q y 1) (> x 1.0)) (st 3 x q y 1))))
(assert (forall ((x Real) (q Int) (y Real) (id Int)) (=> (and (st 2 x q y id) (not (= id 1))) (st 0 x q y id))))
(assert (forall ((x Real) (q Int) (y Real) (id Int)) (=> (st 3 x q y id) (st 0 x q y 0))))
(assert (forall ((p Int) (x Real) (y Real)) (=> (st p x 0 y 0) (st p x 1 0.0 0))))
(assert (forall ((p Int) (x Real) (y Real) (id Int)) (=> (st p x 1 y id) (st p x 2 0.0 2))))
(assert (forall ((p Int) (x Real) (y Real)) (=> (and (st p x 2 y 2) (> y 1.0)) (st p x 3 y 2))))
(assert (forall ((p Int) (x Real) (y Real) (id Int)) (=> (and (st p x 2 y id) (not (= id 2))) (st p x 0 y id))))
(assert (forall ((p Int) (x Real) (y Real) (id Int)) (=> (st p x 3 y id) (st p x 0 y 0))))
(assert (forall ((x Real) (y Real) (id Int)) (=> (st 3 x 3 y id) false)))

(check-sat)
