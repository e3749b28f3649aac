; The sum of every second element of a list is one number.
; sat by two sums, of the elements at even and at odd places.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun sum (List Int) Bool)

(assert (sum nil 0))
(assert (forall ((x Int) (y Int) (l List) (n Int))
  (=> (sum l n) (sum (cons x (cons y l)) (+ x n)))))
(assert (forall ((l List) (n Int) (m Int)) (=> (and (sum l n) (sum l m) (< m n)) false)))

(check-sat)
