; Not Horn: a predicate inside of an argument of another one.
; error: 6:42 predicate inside of a term
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Bool) Bool)
(assert (forall ((x Int)) (=> (> x 0) (q (p x)))))
(check-sat)
