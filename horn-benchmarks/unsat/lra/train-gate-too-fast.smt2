; The train and gate of sat/lra/train-gate with a train that may arrive after 4 seconds while the gate needs up to 5.
; Refuted by a train that comes in while the gate is still closing.
(set-logic HORN)
(set-info :status unsat)

(declare-fun st (Int Real Int Real) Bool)

(assert (st 0 0.0 0 0.0))
(assert (forall ((x Real) (g Int) (y Real)) (=> (st 0 x g y) (st 1 0.0 (ite (= g 0) 1 g) 0.0))))
(assert (forall ((t Int) (x Real) (g Int) (y Real) (d Real))
  (=> (and (st t x g y) (>= d 0.0) (=> (= g 1) (<= (+ y d) 5.0))) (st t (+ x d) g (+ y d)))))
(assert (forall ((t Int) (x Real) (y Real)) (=> (st t x 1 y) (st t x 2 y))))
(assert (forall ((x Real) (g Int) (y Real)) (=> (and (st 1 x g y) (>= x 4.0)) (st 2 x g y))))
(assert (forall ((x Real) (g Int) (y Real)) (=> (and (st 2 x g y) (not (= g 2))) false)))

(check-sat)
