; Syntax: a quoted symbol must not contain a backslash.
; error: 4:16 cannot contain
(set-logic HORN)
(declare-fun |p\q| (Int) Bool)
(check-sat)
