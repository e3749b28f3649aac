; Not Horn: a negated predicate in a body is a second head.
; error: 6:57 not a Horn clause
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (and (not (p x)) (> x 0)) (q x))))
(check-sat)
