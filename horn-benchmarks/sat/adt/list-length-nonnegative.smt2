; The length of a list by recursion is not negative.
; Easy: no fact about the list is needed, only about the number.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun len (List Int) Bool)

(assert (len nil 0))
(assert (forall ((h Int) (t List) (n Int)) (=> (len t n) (len (cons h t) (+ n 1)))))
(assert (forall ((l List) (n Int)) (=> (and (len l n) (< n 0)) false)))

(check-sat)
