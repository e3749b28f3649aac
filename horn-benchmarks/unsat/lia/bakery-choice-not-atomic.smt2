; The bakery of sat/lia/bakery-unbounded, where a ticket is chosen in two steps: read the other's, then take one more.
; Both can take the same ticket, and ties are broken by nobody: both enter.
(set-logic HORN)
(set-info :status unsat)

(declare-fun st (Int Int Int Int) Bool) ; pc 0 idle, 3 has read, 1 waiting, 2 critical

(assert (st 0 0 0 0))
(assert (forall ((x Int) (q Int) (y Int)) (=> (st 0 x q y) (st 3 (+ y 1) q y))))
(assert (forall ((x Int) (q Int) (y Int)) (=> (st 3 x q y) (st 1 x q y))))
(assert (forall ((x Int) (q Int) (y Int)) (=> (and (st 1 x q y) (or (= q 0) (<= x y))) (st 2 x q y))))
(assert (forall ((x Int) (q Int) (y Int)) (=> (st 2 x q y) (st 0 0 q y))))
(assert (forall ((p Int) (x Int) (y Int)) (=> (st p x 0 y) (st p x 3 (+ (ite (= p 1) x 0) 1)))))
(assert (forall ((p Int) (x Int) (y Int)) (=> (st p x 3 y) (st p x 1 y))))
(assert (forall ((p Int) (x Int) (y Int)) (=> (and (st p x 1 y) (or (= p 0) (<= y x))) (st p x 2 y))))
(assert (forall ((p Int) (x Int) (y Int)) (=> (st p x 2 y) (st p x 0 0))))
(assert (forall ((x Int) (y Int)) (=> (st 2 x 2 y) false)))

(check-sat)
