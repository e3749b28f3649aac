; An array is filled with zeros; afterwards every cell of it is 0, the cell being chosen after the loop.
; sat with the invariant "a[j] = 0 for all 0 <= j < i". Hard because that needs a quantifier, or its instance by a
; transformation (sat/arrays/init-one-cell is that instance).
(set-logic HORN)
(set-info :status sat)

(declare-fun fill ((Array Int Int) Int Int) Bool) ; a n i

(assert (forall ((a (Array Int Int)) (n Int)) (fill a n 0)))
(assert (forall ((a (Array Int Int)) (n Int) (i Int)) (=> (and (fill a n i) (< i n)) (fill (store a i 0) n (+ i 1)))))
(assert (forall ((a (Array Int Int)) (n Int) (i Int) (k Int))
  (=> (and (fill a n i) (>= i n) (<= 0 k) (< k n) (not (= (select a k) 0))) false)))

(check-sat)
