; One pass of bubble sort brings a greatest element to the end.
; sat with the invariant "a[j] <= a[i] for all 0 <= j <= i". Hard because it is quantified and two cells move in each step.
(set-logic HORN)
(set-info :status sat)

(declare-fun pass ((Array Int Int) Int Int) Bool) ; a n i

(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (pass a n 0))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int))
  (=> (and (pass a n i) (< (+ i 1) n) (<= (select a i) (select a (+ i 1)))) (pass a n (+ i 1)))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int))
  (=> (and (pass a n i) (< (+ i 1) n) (> (select a i) (select a (+ i 1))))
      (pass (store (store a i (select a (+ i 1))) (+ i 1) (select a i)) n (+ i 1)))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int) (k Int))
  (=> (and (pass a n i) (= (+ i 1) n) (<= 0 k) (< k n) (> (select a k) (select a i))) false)))

(check-sat)
