; The two-phase loop (see sat/lia/two-phase) with the false claim y /= 100 at the end.
; Hard because the shortest counterexample runs through all 100 iterations.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head (Int Int) Bool)

(assert (head 0 50))
(assert (forall ((x Int) (y Int) (y1 Int))
  (=> (and (head x y) (< x 100) (= y1 (ite (> (+ x 1) 50) (+ y 1) y))) (head (+ x 1) y1))))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= x 100) (= y 100)) false)))

(check-sat)
