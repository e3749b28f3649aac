; x is halved again and again from 1 and stays positive.
; Hard because every unrolling has a smaller value, 1/2^k, and only the strict bound x > 0 is invariant.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Real) Bool)

(assert (head 1.0))
(assert (forall ((x Real) (y Real)) (=> (and (head x) (= x (* 2.0 y))) (head y))))
(assert (forall ((x Real)) (=> (and (head x) (<= x 0.0)) false)))

(check-sat)
