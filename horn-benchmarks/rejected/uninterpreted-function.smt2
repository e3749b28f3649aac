; Not supported: a function that is not a predicate; reported where it is used.
; error: 6:34 not supported
(set-logic HORN)
(declare-fun f (Int) Int)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= (f x) 0) (p x))))
(check-sat)
