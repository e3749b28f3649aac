; The greatest common divisor of two positive numbers by subtraction, as a recursive procedure: the result is positive
; and not greater than the first argument.
; Hard a little: the bound by the other argument is needed to prove the bound by the first.
(set-logic HORN)
(set-info :status sat)

(declare-fun gcd (Int Int Int) Bool) ; a b result

(assert (forall ((a Int)) (=> (> a 0) (gcd a a a))))
(assert (forall ((a Int) (b Int) (g Int)) (=> (and (> b 0) (> a b) (gcd (- a b) b g)) (gcd a b g))))
(assert (forall ((a Int) (b Int) (g Int)) (=> (and (> a 0) (> b a) (gcd a (- b a) g)) (gcd a b g))))
(assert (forall ((a Int) (b Int) (g Int)) (=> (and (gcd a b g) (> g a)) false)))
(assert (forall ((a Int) (b Int) (g Int)) (=> (and (gcd a b g) (<= g 0)) false)))

(check-sat)
