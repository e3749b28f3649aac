; Syntax: a character that begins no token.
; error: 5:12 stray character
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p '0))
(check-sat)
