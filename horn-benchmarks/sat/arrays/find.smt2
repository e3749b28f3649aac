; Linear search: if it ends within the array, the found cell holds the key.
; Easy: the exit condition is the property; the array never changes.
(set-logic HORN)
(set-info :status sat)

(declare-fun find ((Array Int Int) Int Int Int) Bool) ; a n key i
(declare-fun found ((Array Int Int) Int Int Int) Bool)

(assert (forall ((a (Array Int Int)) (n Int) (x Int)) (=> (> n 0) (find a n x 0))))
(assert (forall ((a (Array Int Int)) (n Int) (x Int) (i Int))
  (=> (and (find a n x i) (< i n) (not (= (select a i) x))) (find a n x (+ i 1)))))
(assert (forall ((a (Array Int Int)) (n Int) (x Int) (i Int))
  (=> (and (find a n x i) (or (>= i n) (= (select a i) x))) (found a n x i))))
(assert (forall ((a (Array Int Int)) (n Int) (x Int) (i Int))
  (=> (and (found a n x i) (< i n) (not (= (select a i) x))) false)))
(assert (forall ((a (Array Int Int)) (n Int) (x Int) (i Int)) (=> (and (found a n x i) (> i n)) false)))

(check-sat)
