; Not Horn: a disjunction of two predicates in the head.
; error: 7:47 not a Horn clause
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Int) Bool)
(assert (forall ((x Int)) (=> (p x) (or (q x) (r x)))))
(check-sat)
