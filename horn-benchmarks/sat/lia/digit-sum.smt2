; Taking decimal digits off a number with div and mod: every digit lies between 0 and 9, and the rest never grows.
; Hard a little: x div 10 < x has to be derived from the definition of div for x > 0.
(set-logic HORN)
(set-info :status sat)

(declare-fun digits (Int Int Int) Bool) ; original, rest, sum

(assert (forall ((n Int)) (=> (>= n 0) (digits n n 0))))
(assert (forall ((n Int) (x Int) (s Int))
  (=> (and (digits n x s) (> x 0)) (digits n (div x 10) (+ s (mod x 10))))))
(assert (forall ((n Int) (x Int) (s Int)) (=> (and (digits n x s) (> (+ x s) n)) false)))

(check-sat)
