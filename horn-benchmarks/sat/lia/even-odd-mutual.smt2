; Mutual recursion: even(n) asks odd(n - 1), odd(n) asks even(n - 1); 0 is even. Never is a number both.
; Hard because the parity must be found: the summaries are r = 1 <=> n mod 2 = 0 and its opposite.
(set-logic HORN)
(set-info :status sat)

(declare-fun even (Int Int) Bool) ; n, 1 for yes
(declare-fun odd (Int Int) Bool)

(assert (even 0 1))
(assert (odd 0 0))
(assert (forall ((n Int) (r Int)) (=> (and (> n 0) (odd (- n 1) r)) (even n r))))
(assert (forall ((n Int) (r Int)) (=> (and (> n 0) (even (- n 1) r)) (odd n r))))
(assert (forall ((n Int)) (=> (and (even n 1) (odd n 1)) false)))

(check-sat)
