; The moves for n discs are one less than 2^n, where both are computed by recursion.
; sat because both definitions determine the same number, by induction on n. Hard because neither has a summary in linear
; arithmetic: only a relation between the two predicates would do, and a model has none.
(set-logic HORN)
(set-info :status sat)

(declare-fun hanoi (Int Int) Bool)
(declare-fun power (Int Int) Bool)

(assert (hanoi 0 0))
(assert (forall ((n Int) (a Int)) (=> (and (> n 0) (hanoi (- n 1) a)) (hanoi n (+ a a 1)))))
(assert (power 0 1))
(assert (forall ((n Int) (a Int)) (=> (and (> n 0) (power (- n 1) a)) (power n (+ a a)))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (hanoi n a) (power n b) (not (= (+ a 1) b))) false)))

(check-sat)
