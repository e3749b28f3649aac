; Syntax: the bindings of a let form a list.
; error: 5:15 unexpected
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (let (x 3) (p x)))
(check-sat)
