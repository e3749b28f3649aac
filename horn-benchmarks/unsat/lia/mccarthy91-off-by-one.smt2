; McCarthy's 91 function with the false claim that the result is 91 up to n = 102: 102 > 100 gives 92.
; Easy: one derivation step; an engine that begins with the recursive clause looks in the wrong place.
(set-logic HORN)
(set-info :status unsat)

(declare-fun mc (Int Int) Bool)

(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (t Int) (r Int)) (=> (and (<= n 100) (mc (+ n 11) t) (mc t r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 102) (not (= r 91))) false)))

(check-sat)
