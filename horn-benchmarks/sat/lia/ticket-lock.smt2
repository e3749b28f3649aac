; A ticket lock for two processes: next ticket and now serving grow without bound. Both in the critical section: never.
; Hard because tickets are unbounded and must be related to the two global counters in every combination of locations.
(set-logic HORN)
(set-info :status sat)

(declare-fun st (Int Int Int Int Int Int) Bool) ; next serving pc1 ticket1 pc2 ticket2; pc 0 idle, 1 waiting, 2 critical

(assert (st 0 0 0 0 0 0))
(assert (forall ((n Int) (s Int) (t1 Int) (q Int) (t2 Int)) (=> (st n s 0 t1 q t2) (st (+ n 1) s 1 n q t2))))
(assert (forall ((n Int) (s Int) (q Int) (t2 Int)) (=> (st n s 1 s q t2) (st n s 2 s q t2))))
(assert (forall ((n Int) (s Int) (t1 Int) (q Int) (t2 Int)) (=> (st n s 2 t1 q t2) (st n (+ s 1) 0 t1 q t2))))
(assert (forall ((n Int) (s Int) (p Int) (t1 Int) (t2 Int)) (=> (st n s p t1 0 t2) (st (+ n 1) s p t1 1 n))))
(assert (forall ((n Int) (s Int) (p Int) (t1 Int)) (=> (st n s p t1 1 s) (st n s p t1 2 s))))
(assert (forall ((n Int) (s Int) (p Int) (t1 Int) (t2 Int)) (=> (st n s p t1 2 t2) (st n (+ s 1) p t1 0 t2))))
(assert (forall ((n Int) (s Int) (t1 Int) (t2 Int)) (=> (st n s 2 t1 2 t2) false)))

(check-sat)
