; Binary search on an unknown table: the middle (lo + hi) div 2 always lies within the interval.
; Hard a little: div by a constant on a sum that may be odd, and the branch taken is arbitrary.
(set-logic HORN)
(set-info :status sat)

(declare-fun search (Int Int Int) Bool) ; n lo hi, both inclusive

(assert (forall ((n Int)) (=> (> n 0) (search n 0 (- n 1)))))
(assert (forall ((n Int) (lo Int) (hi Int) (mid Int))
  (=> (and (search n lo hi) (<= lo hi) (= mid (div (+ lo hi) 2))) (search n (+ mid 1) hi))))
(assert (forall ((n Int) (lo Int) (hi Int) (mid Int))
  (=> (and (search n lo hi) (<= lo hi) (= mid (div (+ lo hi) 2))) (search n lo (- mid 1)))))
(assert (forall ((n Int) (lo Int) (hi Int) (mid Int))
  (=> (and (search n lo hi) (<= lo hi) (= mid (div (+ lo hi) 2)) (or (< mid 0) (>= mid n))) false)))

(check-sat)
