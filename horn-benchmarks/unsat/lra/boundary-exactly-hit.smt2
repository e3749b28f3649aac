; Steps of 1/10 reach 1 exactly after ten of them; in binary floating point they do not.
; Wrong in a solver that computes with floating-point numbers.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head (Real) Bool)

(assert (head 0.0))
(assert (forall ((x Real)) (=> (head x) (head (+ x 0.1)))))
(assert (=> (head 1.0) false))

(check-sat)
