; Syntax: a quoted symbol without its closing bar; it swallows the rest of the file.
; error: 4:14 not closed
(set-logic HORN)
(declare-fun |p (Int) Bool)
(assert (p 0))
(check-sat)
