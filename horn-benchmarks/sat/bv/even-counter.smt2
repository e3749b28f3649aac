; A counter of eight bits in steps of two wraps around and stays even: the lowest bit is never set.
; Hard for intervals, since the counter takes every even value; easy on bits.
(set-logic HORN)
(set-info :status sat)

(declare-fun c ((_ BitVec 8)) Bool)

(assert (c #x00))
(assert (forall ((x (_ BitVec 8))) (=> (c x) (c (bvadd x #x02)))))
(assert (forall ((x (_ BitVec 8))) (=> (and (c x) (= ((_ extract 0 0) x) #b1)) false)))

(check-sat)
