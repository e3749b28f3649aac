; Multiplication by repeated addition, mult(a, b) = a + mult(a, b - 1): for a, b >= 1 the product is at least a and
; at least b.
; Hard because a * b cannot be written in linear arithmetic; the bounds have to be found instead.
; Invariant: a >= 1, b >= 1, p >= a, p >= b.
(set-logic HORN)
(set-info :status sat)

(declare-fun mult (Int Int Int) Bool)

(assert (forall ((a Int)) (=> (>= a 1) (mult a 1 a))))
(assert (forall ((a Int) (b Int) (p Int)) (=> (and (> b 1) (mult a (- b 1) p)) (mult a b (+ p a)))))
(assert (forall ((a Int) (b Int) (p Int)) (=> (and (mult a b p) (or (< p a) (< p b))) false)))

(check-sat)
