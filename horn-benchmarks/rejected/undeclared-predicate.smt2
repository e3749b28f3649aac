; A predicate that was never declared.
; error: 6:37 unknown constant or function
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (q x))))
(check-sat)
