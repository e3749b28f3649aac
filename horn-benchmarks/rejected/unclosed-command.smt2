; Syntax: the last command is not closed; reported at its opening parenthesis.
; error: 6:1 not closed
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(check-sat
