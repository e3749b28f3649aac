; Two processes queue for a critical section; one Boolean says who came first when both want it. Both critical: never.
; Hard a little: the order bit means something only while both wait.
(set-logic HORN)
(set-info :status sat)

(declare-fun st (Bool Bool Bool Bool Bool) Bool) ; wants1 wants2 first1 critical1 critical2

(assert (st false false false false false))
(assert (forall ((w2 Bool) (o Bool) (c2 Bool)) (=> (st false w2 o false c2) (st true w2 (not w2) false c2))))
(assert (forall ((w1 Bool) (o Bool) (c1 Bool)) (=> (st w1 false o c1 false) (st w1 true w1 c1 false))))
(assert (forall ((w2 Bool) (o Bool) (c2 Bool)) (=> (and (st true w2 o false c2) (or o (not w2))) (st true w2 o true c2))))
(assert (forall ((w1 Bool) (o Bool) (c1 Bool)) (=> (and (st w1 true o c1 false) (or (not o) (not w1))) (st w1 true o c1 true))))
(assert (forall ((w2 Bool) (o Bool) (c2 Bool)) (=> (st true w2 o true c2) (st false w2 false false c2))))
(assert (forall ((w1 Bool) (o Bool) (c1 Bool)) (=> (st w1 true o c1 true) (st w1 false true c1 false))))
(assert (forall ((w1 Bool) (w2 Bool) (o Bool)) (=> (st w1 w2 o true true) false)))

(check-sat)
