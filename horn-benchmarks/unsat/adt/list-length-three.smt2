; A list of length 3 exists, against the claim; the refutation has to name one.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun len (List Int) Bool)

(assert (len nil 0))
(assert (forall ((h Int) (t List) (n Int)) (=> (len t n) (len (cons h t) (+ n 1)))))
(assert (forall ((l List)) (=> (len l 3) false)))

(check-sat)
