; Unary numbers with their values beside them: the value of a sum is not below the value of the first summand.
; Hard a little: plus is a relation on datatypes, and the values are integers.
(set-logic HORN)
(set-info :status sat)

(declare-datatype Nat ((zero) (succ (pred Nat))))
(declare-fun plus (Nat Nat Nat Int Int Int) Bool) ; x y x+y and their values

(assert (forall ((y Nat) (v Int)) (=> (>= v 0) (plus zero y y 0 v v))))
(assert (forall ((x Nat) (y Nat) (z Nat) (u Int) (v Int) (w Int))
  (=> (plus x y z u v w) (plus (succ x) y (succ z) (+ u 1) v (+ w 1)))))
(assert (forall ((x Nat) (y Nat) (z Nat) (u Int) (v Int) (w Int)) (=> (and (plus x y z u v w) (< w u)) false)))

(check-sat)
