; An array is filled with zeros from 0 to n - 1; the cell k, chosen beforehand in that range, is 0 at the end.
; The choice of k spares the quantifier: the invariant is k < i => a[k] = 0. Hard a little: finding that guard.
(set-logic HORN)
(set-info :status sat)

(declare-fun fill ((Array Int Int) Int Int Int) Bool) ; a n i k

(assert (forall ((a (Array Int Int)) (n Int) (k Int)) (=> (and (<= 0 k) (< k n)) (fill a n 0 k))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int) (k Int))
  (=> (and (fill a n i k) (< i n)) (fill (store a i 0) n (+ i 1) k))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int) (k Int))
  (=> (and (fill a n i k) (>= i n) (not (= (select a k) 0))) false)))

(check-sat)
