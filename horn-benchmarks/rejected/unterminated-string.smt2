; Syntax: a string without its closing quote.
; error: 4:19 not closed
(set-logic HORN)
(set-info :source "no end in sight)
(check-sat)
