; Money at 3 % interest a year, and a fee of 2 on every account: a balance of 100 never falls below 100.
; Hard a little: a decimal coefficient, exact only as a rational number (1.03 is no binary fraction).
(set-logic HORN)
(set-info :status sat)

(declare-fun account (Real) Bool)

(assert (account 100.0))
(assert (forall ((x Real)) (=> (account x) (account (- (* 1.03 x) 2.0)))))
(assert (forall ((x Real)) (=> (and (account x) (< x 100.0)) false)))

(check-sat)
