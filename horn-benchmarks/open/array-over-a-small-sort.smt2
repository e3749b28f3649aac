; An array that is 0 but for one place is 1 everywhere.
; sat: the sort of the indices may have one element only. Hard for the same reason as elements-that-may-be-the-same.
(set-logic HORN)
(set-info :status sat)

(declare-sort U 0)
(declare-fun p ((Array U Int)) Bool)

(assert (forall ((x U)) (p (store ((as const (Array U Int)) 0) x 1))))
(assert (forall ((x (Array U Int))) (=> (and (p x) (not (= x ((as const (Array U Int)) 1)))) false)))

(check-sat)
