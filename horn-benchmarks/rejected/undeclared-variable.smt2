; A variable outside of its quantifier.
; error: 5:43 unknown constant or function
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (=> (forall ((x Int)) (> x 0)) (p x)))
(check-sat)
