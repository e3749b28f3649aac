; A sort that was never declared, in the declaration of a predicate.
; error: 4:21 unknown sort
(set-logic HORN)
(declare-fun p (Int Integer) Bool)
(check-sat)
