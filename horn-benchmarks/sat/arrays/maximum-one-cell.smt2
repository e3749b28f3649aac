; The maximum of an array is not below the cell k.
; Hard a little: k < i => m >= a[k], where m changes with the ite of the loop.
(set-logic HORN)
(set-info :status sat)

(declare-fun scan ((Array Int Int) Int Int Int Int) Bool) ; a n i m k

(assert (forall ((a (Array Int Int)) (n Int) (k Int)) (=> (and (<= 0 k) (< k n)) (scan a n 0 (select a 0) k))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int) (m Int) (k Int))
  (=> (and (scan a n i m k) (< i n)) (scan a n (+ i 1) (ite (> (select a i) m) (select a i) m) k))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int) (m Int) (k Int))
  (=> (and (scan a n i m k) (>= i n) (< m (select a k))) false)))

(check-sat)
