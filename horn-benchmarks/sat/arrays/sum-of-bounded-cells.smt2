; Cells read from an array are clamped to 0 .. 9 and added up: the sum of n of them lies between 0 and 9n.
; Hard a little: the array is a source of arbitrary values only.
(set-logic HORN)
(set-info :status sat)

(declare-fun sum ((Array Int Int) Int Int) Bool) ; a i s

(assert (forall ((a (Array Int Int))) (sum a 0 0)))
(assert (forall ((a (Array Int Int)) (i Int) (s Int) (x Int))
  (=> (and (sum a i s) (= x (select a i))) (sum a (+ i 1) (+ s (ite (< x 0) 0 (ite (> x 9) 9 x)))))))
(assert (forall ((a (Array Int Int)) (i Int) (s Int)) (=> (and (sum a i s) (or (< s 0) (> s (* 9 i)))) false)))

(check-sat)
