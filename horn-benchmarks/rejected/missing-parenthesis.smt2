; Syntax: a missing parenthesis inside the file; reported where the next command begins within the unfinished one.
; error: 6:1 expected
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x)))
(check-sat)
