; Filling an array with zeros stops one cell early: the cell n - 1 may hold anything.
; The refutation names an array, a value for its missed cell and n.
(set-logic HORN)
(set-info :status unsat)

(declare-fun fill ((Array Int Int) Int Int Int) Bool)

(assert (forall ((a (Array Int Int)) (n Int) (k Int)) (=> (and (<= 0 k) (< k n)) (fill a n 0 k))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int) (k Int))
  (=> (and (fill a n i k) (< i (- n 1))) (fill (store a i 0) n (+ i 1) k))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int) (k Int))
  (=> (and (fill a n i k) (>= i (- n 1)) (not (= (select a k) 0))) false)))

(check-sat)
