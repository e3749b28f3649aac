; A Boolean inside an arithmetic term.
; error: 5:54 sort
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int) (b Bool)) (=> (p x) (p (+ x b)))))
(check-sat)
