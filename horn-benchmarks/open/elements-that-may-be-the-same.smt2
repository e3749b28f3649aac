; Different elements of a sort are related, and no elements are.
; sat: the sort may have one element only. Hard because a model would have to say how large the sort is.
(set-logic HORN)
(set-info :status sat)

(declare-sort U 0)
(declare-fun related (U U) Bool)

(assert (forall ((x U) (y U)) (=> (not (= x y)) (related x y))))
(assert (forall ((x U) (y U)) (=> (related x y) false)))

(check-sat)
