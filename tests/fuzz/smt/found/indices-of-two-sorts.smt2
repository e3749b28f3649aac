; Arrays with indices of two sorts, one of them inside of an index of the other: the closure of the
; checker of proofs compared indices of different sorts.
(set-logic ALL)
(declare-const a1 (Array Int Int))
(check-sat-assuming ((= ((as const (Array (Array Int Int) Int)) 0) (store ((as const (Array (Array Int Int) Int)) 1) (store a1 0 0) 0))))
