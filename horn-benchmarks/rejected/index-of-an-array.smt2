; An array with integer indices is read at a Boolean.
; error: 5:56 sort
(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a true) 0) (p a))))
(check-sat)
