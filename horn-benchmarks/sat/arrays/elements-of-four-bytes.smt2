; A program copies elements of four bytes to elements of one byte, as it finds them in memory: at p + 4 i and at q + i.
;
;   for (i = 0; i < n; i++) a[i] = 42;
;   for (i = 0; i < n; i++) b[i] = a[i];
;   assert(b[x] == 42)                    for 0 <= x < n
(set-logic HORN)
(set-info :status sat)
(declare-fun fill (Int Int Int Int (Array Int Int) (Array Int Int)) Bool)
(declare-fun copy (Int Int Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((p Int) (q Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (< 0 p) (< 0 q)) (fill 0 n p q a b))))
(assert (forall ((i Int) (n Int) (p Int) (q Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (fill i n p q a b) (< i n)) (fill (+ i 1) n p q (store a (+ p (* 4 i)) 42) b))))
(assert (forall ((i Int) (n Int) (p Int) (q Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (fill i n p q a b) (>= i n)) (copy 0 n p q a b))))
(assert (forall ((i Int) (n Int) (p Int) (q Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (copy i n p q a b) (< i n)) (copy (+ i 1) n p q a (store b (+ q i) (select a (+ p (* 4 i))))))))
(assert (forall ((i Int) (n Int) (p Int) (q Int) (x Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (copy i n p q a b) (>= i n) (<= 0 x) (< x n) (not (= (select b (+ q x)) 42))) false)))
(check-sat)
