; A predicate with an argument too few.
; error: 6:31 takes
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 1))
(assert (forall ((x Int)) (=> (p x) (p x x))))
(check-sat)
