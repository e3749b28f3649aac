; Reversing a list with an accumulator keeps the sum of the lengths.
; sat because every step moves one element from one list to the other. Hard because the length is a recursive property of a
; list, which no formula over constructors and selectors expresses.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun len (List Int) Bool)
(declare-fun rev (List List List) Bool) ; list, accumulator, result

(assert (len nil 0))
(assert (forall ((h Int) (t List) (n Int)) (=> (len t n) (len (cons h t) (+ n 1)))))
(assert (forall ((a List)) (rev nil a a)))
(assert (forall ((h Int) (t List) (a List) (r List)) (=> (rev t (cons h a) r) (rev (cons h t) a r))))
(assert (forall ((l List) (r List) (m Int) (n Int)) (=> (and (rev l nil r) (len l m) (len r n) (not (= m n))) false)))

(check-sat)
