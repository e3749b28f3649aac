; Syntax: a binary literal with a digit that is none.
; error: 5:12 malformed
(set-logic HORN)
(declare-fun p ((_ BitVec 4)) Bool)
(assert (p #b0120))
(check-sat)
