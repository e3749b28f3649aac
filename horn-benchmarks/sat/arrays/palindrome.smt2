; The first half of an array is written to the second half in reverse order. The invariant relates a cell to its mirror image.
;
;   for (i = 0; i < n / 2; i++) a[n - 1 - i] = a[i];
;   assert(a[x] == a[n - 1 - x])          for 0 <= x < n / 2
(set-logic HORN)
(set-info :status sat)
(declare-fun copy (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (copy 0 n a)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)))
  (=> (and (copy i n a) (< i (div n 2))) (copy (+ i 1) n (store a (- n 1 i) (select a i))))))
(assert (forall ((i Int) (n Int) (x Int) (a (Array Int Int)))
  (=> (and (copy i n a) (>= i (div n 2)) (<= 0 x) (< x (div n 2)) (not (= (select a x) (select a (- n 1 x))))) false)))
(check-sat)
