; 2^100 by doubling 1, against the claim.
; Hard a little: one hundred steps, and values that overflow every machine word.
(set-logic HORN)
(set-info :status unsat)

(declare-fun power (Int Int) Bool)

(assert (power 0 1))
(assert (forall ((n Int) (x Int)) (=> (and (power n x) (< n 100)) (power (+ n 1) (* 2 x)))))
(assert (=> (power 100 1267650600228229401496703205376) false))

(check-sat)
