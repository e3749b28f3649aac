; A byte read as signed and widened to 16 bits is not the same as read unsigned: 200 becomes 65,480.
(set-logic HORN)
(set-info :status unsat)

(declare-fun wide ((_ BitVec 16)) Bool)

(assert (forall ((x (_ BitVec 8))) (=> (bvuge x #xc8) (wide ((_ sign_extend 8) x)))))
(assert (=> (wide #xffc8) false))

(check-sat)
