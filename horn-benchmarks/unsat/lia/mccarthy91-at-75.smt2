; McCarthy's 91 function with the false claim m(75) /= 91. True is m(75) = 91, by a derivation with 53 applications
; of the function.
; Hard because the counterexample is a deep tree, and every number in it is determined.
(set-logic HORN)
(set-info :status unsat)

(declare-fun mc (Int Int) Bool)

(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (t Int) (r Int)) (=> (and (<= n 100) (mc (+ n 11) t) (mc t r)) (mc n r))))
(assert (=> (mc 75 91) false))

(check-sat)
