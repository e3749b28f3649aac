; Syntax: one closing parenthesis too many.
; error: 5:15 expected a command
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0)))
(check-sat)
