; The place of the largest element is found. The invariant compares each cell with the one that is remembered.
;
;   for (m = 0, i = 1; i < n; i++) if (a[i] > a[m]) m = i;
;   assert(a[x] <= a[m])                  for 0 <= x < n
(set-logic HORN)
(set-info :status sat)
(declare-fun scan (Int Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (=> (< 0 n) (scan 1 0 n a))))
(assert (forall ((i Int) (m Int) (n Int) (a (Array Int Int)))
  (=> (and (scan i m n a) (< i n) (> (select a i) (select a m))) (scan (+ i 1) i n a))))
(assert (forall ((i Int) (m Int) (n Int) (a (Array Int Int)))
  (=> (and (scan i m n a) (< i n) (<= (select a i) (select a m))) (scan (+ i 1) m n a))))
(assert (forall ((i Int) (m Int) (n Int) (x Int) (a (Array Int Int)))
  (=> (and (scan i m n a) (>= i n) (<= 0 x) (< x n) (> (select a x) (select a m))) false)))
(check-sat)
