; A real halfway between two integers: 2x = 2n + 1, harmless over the reals, impossible over the integers.
; Wrong in a solver that takes a Real for an Int, or the reverse.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Real) Bool)

(assert (forall ((x Real) (n Int)) (=> (= (* 2.0 x) (to_real (+ (* 2 n) 1))) (p x))))
(assert (=> (p 2.5) false))

(check-sat)
