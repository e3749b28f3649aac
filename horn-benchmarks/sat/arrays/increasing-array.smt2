; An array is written from left to right with values that grow; then any two places are compared.
; Hard: what holds is a statement about every two places, for all i < j below n: a[i] <= a[j]. One place at a time says nothing of it.
(set-logic HORN)
(set-info :status sat)

(declare-fun fill (Int Int (Array Int Int)) Bool)

(assert (forall ((v Int) (a (Array Int Int))) (fill 0 v a)))
(assert (forall ((n Int) (v Int) (w Int) (a (Array Int Int)))
  (=> (and (fill n v a) (<= v w)) (fill (+ n 1) w (store a n w)))))
(assert (forall ((n Int) (v Int) (i Int) (j Int) (a (Array Int Int)))
  (=> (and (fill n v a) (<= 0 i) (<= i j) (< j n) (> (select a i) (select a j))) false)))

(check-sat)
