; An integer where the predicate takes a Boolean.
; error: 5:14 sort
(set-logic HORN)
(declare-fun p (Int Bool) Bool)
(assert (p 0 1))
(check-sat)
