; A pointer goes over words of four bytes, and each word is written. So the pointer is always b + 4 k.
;
;   for (p = b; p < b + 4 n; p += 4) *p = 7;
;   assert(b[x] == 7)                     for 0 <= x < n
(set-logic HORN)
(set-info :status sat)
(declare-fun fill (Int Int Int (Array Int Int)) Bool)
(assert (forall ((b Int) (n Int) (a (Array Int Int))) (=> (< 0 b) (fill b b n a))))
(assert (forall ((p Int) (b Int) (n Int) (a (Array Int Int)))
  (=> (and (fill p b n a) (< p (+ b (* 4 n)))) (fill (+ p 4) b n (store a p 7)))))
(assert (forall ((p Int) (b Int) (n Int) (x Int) (a (Array Int Int)))
  (=> (and (fill p b n a) (>= p (+ b (* 4 n))) (<= 0 x) (< x n) (not (= (select a (+ b (* 4 x))) 7))) false)))
(check-sat)
