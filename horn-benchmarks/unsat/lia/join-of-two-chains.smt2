; Two chains meet in a clause with both in its body: 4 + 3 = 7 can be derived, though no chain reaches 7.
(set-logic HORN)
(set-info :status unsat)

(declare-fun a (Int) Bool)
(declare-fun b (Int) Bool)
(declare-fun c (Int) Bool)

(assert (a 0))
(assert (forall ((x Int)) (=> (and (a x) (< x 6)) (a (+ x 2)))))
(assert (b 3))
(assert (forall ((x Int)) (=> (and (b x) (< x 3)) (b (+ x 4)))))
(assert (forall ((x Int) (y Int)) (=> (and (a x) (b y)) (c (+ x y)))))
(assert (=> (c 7) false))

(check-sat)
