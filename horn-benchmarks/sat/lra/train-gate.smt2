; A train announces itself at least 10 seconds before it is in, the gate needs at most 5 to close: whenever the train is
; in, the gate is down.
; Hard because two clocks and two discrete states run together and only the difference of delays makes it safe.
(set-logic HORN)
(set-info :status sat)

(declare-fun st (Int Real Int Real) Bool) ; train 0 far 1 near 2 in, its clock; gate 0 up 1 closing 2 down, its clock

(assert (st 0 0.0 0 0.0))
(assert (forall ((x Real) (g Int) (y Real)) (=> (st 0 x g y) (st 1 0.0 (ite (= g 0) 1 g) 0.0))))
(assert (forall ((t Int) (x Real) (g Int) (y Real) (d Real))
  (=> (and (st t x g y) (>= d 0.0) (=> (= g 1) (<= (+ y d) 5.0))) (st t (+ x d) g (+ y d)))))
(assert (forall ((t Int) (x Real) (y Real)) (=> (st t x 1 y) (st t x 2 y))))
(assert (forall ((x Real) (g Int) (y Real)) (=> (and (st 1 x g y) (>= x 10.0)) (st 2 x g y))))
(assert (forall ((x Real) (g Int) (y Real)) (=> (st 2 x g y) (st 0 0.0 0 y))))
(assert (forall ((x Real) (g Int) (y Real)) (=> (and (st 2 x g y) (not (= g 2))) false)))

(check-sat)
