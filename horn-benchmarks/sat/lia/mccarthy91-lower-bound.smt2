; McCarthy's 91 function again, with the weaker property that no result is below 91.
; Easier than the exact value: r >= 91 alone is inductive, so a solver that first finds r = 91 \/ n > 100 did too much.
(set-logic HORN)
(set-info :status sat)

(declare-fun mc (Int Int) Bool)

(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (t Int) (r Int)) (=> (and (<= n 100) (mc (+ n 11) t) (mc t r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (< r 91)) false)))

(check-sat)
