; Multiplication by repeated addition gives the same number for both orders of the factors.
; sat because mult(a, b, p) can be derived only for p = a * b. Hard because that is not linear.
(set-logic HORN)
(set-info :status sat)

(declare-fun mult (Int Int Int) Bool)

(assert (forall ((a Int)) (=> (>= a 0) (mult a 0 0))))
(assert (forall ((a Int) (b Int) (p Int)) (=> (and (> b 0) (mult a (- b 1) p)) (mult a b (+ p a)))))
(assert (forall ((a Int) (b Int) (p Int) (q Int)) (=> (and (mult a b p) (mult b a q) (not (= p q))) false)))

(check-sat)
