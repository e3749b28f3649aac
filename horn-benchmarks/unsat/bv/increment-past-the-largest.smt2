; A counter of 32 bits begins near the largest number, and the number after that is negative.
(set-logic HORN)
(set-info :status unsat)

(declare-fun at ((_ BitVec 32)) Bool)

(assert (forall ((x (_ BitVec 32))) (=> (bvsle #x7ffffffd x) (at x))))
(assert (forall ((x (_ BitVec 32))) (=> (at x) (at (bvadd x #x00000001)))))
(assert (forall ((x (_ BitVec 32))) (=> (and (at x) (bvslt x #x00000005)) false)))

(check-sat)
