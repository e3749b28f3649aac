; The false claim that the greatest common divisor of 48 and 36, by subtraction, is not 12.
(set-logic HORN)
(set-info :status unsat)

(declare-fun gcd (Int Int Int) Bool)

(assert (forall ((a Int)) (=> (> a 0) (gcd a a a))))
(assert (forall ((a Int) (b Int) (g Int)) (=> (and (> b 0) (> a b) (gcd (- a b) b g)) (gcd a b g))))
(assert (forall ((a Int) (b Int) (g Int)) (=> (and (> a 0) (> b a) (gcd a (- b a) g)) (gcd a b g))))
(assert (=> (gcd 48 36 12) false))

(check-sat)
