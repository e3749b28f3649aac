; The false claim that 25 is not odd, with mutually recursive even and odd.
; Hard a little: a chain of 25 steps that alternates between two predicates.
(set-logic HORN)
(set-info :status unsat)

(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)

(assert (even 0))
(assert (forall ((n Int)) (=> (and (> n 0) (odd (- n 1))) (even n))))
(assert (forall ((n Int)) (=> (and (> n 0) (even (- n 1))) (odd n))))
(assert (=> (odd 25) false))

(check-sat)
