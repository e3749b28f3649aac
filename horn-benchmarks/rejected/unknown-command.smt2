; Syntax: a command that does not exist.
; error: 5:2 unknown command
(set-logic HORN)
(declare-fun p (Int) Bool)
(asert (p 0))
(check-sat)
