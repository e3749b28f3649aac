; Lamport's bakery for two processes with atomic ticket choice and unbounded tickets: mutual exclusion.
; Hard because x and y may grow for ever; only their order and whether they are 0 matters.
(set-logic HORN)
(set-info :status sat)

(declare-fun st (Int Int Int Int) Bool) ; pc1 x pc2 y; pc 0 idle, 1 waiting, 2 critical; 0 is no ticket

(assert (st 0 0 0 0))
(assert (forall ((x Int) (q Int) (y Int)) (=> (st 0 x q y) (st 1 (+ y 1) q y))))
(assert (forall ((x Int) (q Int) (y Int)) (=> (and (st 1 x q y) (or (= y 0) (<= x y))) (st 2 x q y))))
(assert (forall ((x Int) (q Int) (y Int)) (=> (st 2 x q y) (st 0 0 q y))))
(assert (forall ((p Int) (x Int) (y Int)) (=> (st p x 0 y) (st p x 1 (+ x 1)))))
(assert (forall ((p Int) (x Int) (y Int)) (=> (and (st p x 1 y) (or (= x 0) (< y x))) (st p x 2 y))))
(assert (forall ((p Int) (x Int) (y Int)) (=> (st p x 2 y) (st p x 0 0))))
(assert (forall ((x Int) (y Int)) (=> (st 2 x 2 y) false)))

(check-sat)
