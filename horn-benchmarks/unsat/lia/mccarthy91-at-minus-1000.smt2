; The false claim m(-1000) /= 91 for McCarthy's 91 function.
; unsat by the definition, with a derivation of more than a thousand steps. Hard because it is long and non-linear.
(set-logic HORN)
(set-info :status unsat)

(declare-fun mc (Int Int) Bool)

(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (t Int) (r Int)) (=> (and (<= n 100) (mc (+ n 11) t) (mc t r)) (mc n r))))
(assert (=> (mc (- 1000) 91) false))

(check-sat)
