; The same predicate declared twice in one scope.
; error: 5:14 already declared
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun p (Int) Bool)
(check-sat)
