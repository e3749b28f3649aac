; Syntax: assert takes one term.
; error: 5:15 unexpected
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0) (p 1))
(check-sat)
