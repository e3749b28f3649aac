; A derivation of false through p and q, beside facts of both that nothing leads on from.
; Catches refutations read off a model of an unrolling without following the path: what else is true there is no part of it.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int Int) Bool)
(declare-fun q (Int Bool Int) Bool)

(assert (p 1 2))
(assert (forall ((x Int)) (q 2 (<= x x) 0)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p z x) (<= (- z x) x)) (p (+ x 1) (+ y y)))))
(assert (forall ((x Int) (y Int) (z Int) (b Bool)) (=> (q x b z) (p (- x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y 3)) false)))

(check-sat)
