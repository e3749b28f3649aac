; Not Horn: an existential quantifier in a head.
; error: 6:37 not a Horn clause
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (forall ((x Int)) (=> (p x) (exists ((y Int)) (q x y)))))
(check-sat)
