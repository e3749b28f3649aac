; The branches of an ite must have one sort.
; error: 5:51 sort
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x (ite (> x 0) 1 false)) (p x))))
(check-sat)
