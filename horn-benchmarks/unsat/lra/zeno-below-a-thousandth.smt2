; x is halved from 1 and falls below 1/1000 in the tenth step, against the claim.
; Hard a little: ten steps and an exact fraction, 1/1024.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head (Real) Bool)

(assert (head 1.0))
(assert (forall ((x Real) (y Real)) (=> (and (head x) (= x (* 2.0 y))) (head y))))
(assert (forall ((x Real)) (=> (and (head x) (< x 0.001)) false)))

(check-sat)
