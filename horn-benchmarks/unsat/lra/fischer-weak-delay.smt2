; Fischer's protocol (see sat/lra/fischer-two) where a process reads again after at least 1 instead of after more than 1:
; both can be critical, by an interleaving in which two events fall on the same instant.
; Hard because the counterexample exists only at the boundary, with equal clock values.
(set-logic HORN)
(set-info :status unsat)

(declare-fun st (Int Real Int Real Int) Bool)

(assert (st 0 0.0 0 0.0 0))
(assert (forall ((p Int) (x Real) (q Int) (y Real) (id Int) (d Real))
  (=> (and (st p x q y id) (>= d 0.0) (=> (= p 1) (<= (+ x d) 1.0)) (=> (= q 1) (<= (+ y d) 1.0)))
      (st p (+ x d) q (+ y d) id))))
(assert (forall ((x Real) (q Int) (y Real)) (=> (st 0 x q y 0) (st 1 0.0 q y 0))))
(assert (forall ((x Real) (q Int) (y Real) (id Int)) (=> (st 1 x q y id) (st 2 0.0 q y 1))))
(assert (forall ((x Real) (q Int) (y Real)) (=> (and (st 2 x q y 1) (>= x 1.0)) (st 3 x q y 1))))
(assert (forall ((p Int) (x Real) (y Real)) (=> (st p x 0 y 0) (st p x 1 0.0 0))))
(assert (forall ((p Int) (x Real) (y Real) (id Int)) (=> (st p x 1 y id) (st p x 2 0.0 2))))
(assert (forall ((p Int) (x Real) (y Real)) (=> (and (st p x 2 y 2) (>= y 1.0)) (st p x 3 y 2))))
(assert (forall ((x Real) (y Real) (id Int)) (=> (st 3 x 3 y id) false)))

(check-sat)
