; One array is copied to another, cell by cell; the cell k agrees at the end.
; Hard a little: two arrays and a guarded equality between their cells, k < i => a[k] = b[k].
(set-logic HORN)
(set-info :status sat)

(declare-fun copy ((Array Int Int) (Array Int Int) Int Int Int) Bool) ; a b n i k

(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int) (k Int)) (=> (and (<= 0 k) (< k n)) (copy a b n 0 k))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int) (i Int) (k Int))
  (=> (and (copy a b n i k) (< i n)) (copy a (store b i (select a i)) n (+ i 1) k))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int) (i Int) (k Int))
  (=> (and (copy a b n i k) (>= i n) (not (= (select a k) (select b k)))) false)))

(check-sat)
