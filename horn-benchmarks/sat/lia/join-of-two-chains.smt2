; Two chains grow independently and a clause with both in its body adds them: the sum of an even and an odd number
; is odd.
; Hard because a parity is needed for each predicate, and the query reaches it through a non-linear clause.
(set-logic HORN)
(set-info :status sat)

(declare-fun a (Int) Bool)
(declare-fun b (Int) Bool)
(declare-fun c (Int) Bool)

(assert (a 0))
(assert (forall ((x Int)) (=> (a x) (a (+ x 2)))))
(assert (b 1))
(assert (forall ((x Int)) (=> (b x) (b (+ x 4)))))
(assert (forall ((x Int) (y Int)) (=> (and (a x) (b y)) (c (+ x y)))))
(assert (forall ((z Int)) (=> (and (c z) (= (mod z 2) 0)) false)))

(check-sat)
