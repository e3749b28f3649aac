; Not Horn: a universal quantifier in a body.
; error: 6:13 not a Horn clause
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q () Bool)
(assert (=> (forall ((y Int)) (=> (> y 0) (p y))) q))
(check-sat)
