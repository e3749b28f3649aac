; x moves to any point up to and including the middle between x and 1, or jumps to 1 from above 0.9: 1 is reached.
; Hard a little: four steps at their limits are needed before the jump opens.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head (Real) Bool)

(assert (head 0.0))
(assert (forall ((x Real) (y Real)) (=> (and (head x) (<= y (/ (+ x 1.0) 2.0))) (head y))))
(assert (forall ((x Real)) (=> (and (head x) (> x 0.9)) (head 1.0))))
(assert (forall ((x Real)) (=> (and (head x) (>= x 1.0)) false)))

(check-sat)
