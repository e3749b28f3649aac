; Two variables of one quantifier with the same name.
; error: 5:27 bound twice
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int) (x Int)) (p x)))
(check-sat)
