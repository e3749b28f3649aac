; Three nested loops with bounds that depend on the outer counters: 0 <= k <= j <= i <= n throughout.
; Hard because the chain of inequalities has to hold at three loop heads at once.
(set-logic HORN)
(set-info :status sat)

(declare-fun l1 (Int Int) Bool)
(declare-fun l2 (Int Int Int) Bool)
(declare-fun l3 (Int Int Int Int) Bool)

(assert (forall ((n Int)) (=> (> n 0) (l1 n 0))))
(assert (forall ((n Int) (i Int)) (=> (and (l1 n i) (< i n)) (l2 n i 0))))
(assert (forall ((n Int) (i Int) (j Int)) (=> (and (l2 n i j) (< j i)) (l3 n i j 0))))
(assert (forall ((n Int) (i Int) (j Int) (k Int)) (=> (and (l3 n i j k) (< k j)) (l3 n i j (+ k 1)))))
(assert (forall ((n Int) (i Int) (j Int) (k Int)) (=> (and (l3 n i j k) (>= k j)) (l2 n i (+ j 1)))))
(assert (forall ((n Int) (i Int) (j Int)) (=> (and (l2 n i j) (>= j i)) (l1 n (+ i 1)))))
(assert (forall ((n Int) (i Int) (j Int) (k Int))
  (=> (and (l3 n i j k) (not (and (<= 0 k) (<= k j) (< j i) (< i n)))) false)))

(check-sat)
