; A store to each of the four indices of a constant array leaves nothing of it; three stores leave one element.
; sat with the invariant "v = 7".
(set-logic HORN)
(set-info :status sat)

(declare-fun same (Int) Bool)

(assert (forall ((i (_ BitVec 2)) (j (_ BitVec 2)) (k (_ BitVec 2)) (v Int))
  (=> (= (store (store (store ((as const (Array (_ BitVec 2) Int)) v) i 1) j 2) k 3)
         (store (store (store ((as const (Array (_ BitVec 2) Int)) 7) i 1) j 2) k 3))
      (same v))))
(assert (forall ((v Int)) (=> (and (same v) (not (= v 7))) false)))

(check-sat)
