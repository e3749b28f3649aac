; A parametric option: a search returns nothing or something, and something is never negative.
; Easy; a datatype with a sort parameter, used at Int.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Option 1)) ((par (T) ((none) (some (value T))))))
(declare-fun result (Int (Option Int)) Bool)

(assert (forall ((n Int)) (=> (< n 0) (result n (as none (Option Int))))))
(assert (forall ((n Int)) (=> (>= n 0) (result n (some n)))))
(assert (forall ((n Int) (r (Option Int)) (x Int)) (=> (and (result n r) (= r (some x)) (< x 0)) false)))

(check-sat)
