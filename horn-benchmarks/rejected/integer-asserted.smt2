; What is asserted must be a formula.
; error: 5:9 sort
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (+ 1 2))
(check-sat)
