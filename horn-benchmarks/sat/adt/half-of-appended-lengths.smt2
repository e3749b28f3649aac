; Two lists, one after the other, in both orders: half of the length is the same. The assertions along derivations say that one
; list is the tail of the tail of another, and a model may have the tail of the empty list. Predicate abstraction took the
; default for it, which is not what the solver's model has, and dropped predicates that follow.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(declare-fun length (List Int) Bool)
(declare-fun half (Int Int) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((d Int) (x List) (y List) (z List)) (=> (append x y z) (append (cons d x) y (cons d z)))))
(assert (length nil 0))
(assert (forall ((d Int) (x List) (n Int)) (=> (length x n) (length (cons d x) (+ n 1)))))
(assert (half 0 0))
(assert (half 1 0))
(assert (forall ((n Int) (h Int)) (=> (half n h) (half (+ n 2) (+ h 1)))))
(assert (forall ((x List) (y List) (u List) (v List) (m Int) (n Int) (g Int) (h Int))
  (=> (and (append x y u) (append y x v) (length u m) (length v n) (half m g) (half n h) (distinct g h)) false)))
(check-sat)
