; More scopes are left than were entered.
; error: 7:6 pop
(set-logic HORN)
(declare-fun p (Int) Bool)
(push 1)
(assert (p 0))
(pop 2)
(check-sat)
