; As sat/lra/interest with a fee of 4: the balance falls below 90 after nine years.
; Hard a little: exact decimal arithmetic over nine multiplications by 1.03.
(set-logic HORN)
(set-info :status unsat)

(declare-fun account (Real) Bool)

(assert (account 100.0))
(assert (forall ((x Real)) (=> (account x) (account (- (* 1.03 x) 4.0)))))
(assert (forall ((x Real)) (=> (and (account x) (< x 90.0)) false)))

(check-sat)
