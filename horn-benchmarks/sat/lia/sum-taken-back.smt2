; A loop adds up the first n numbers, and a second one takes away the first j of them. As long as j is smaller than
; n something is left. There are no products in the clauses, but a model needs 2 * s = n * (n + 1) - j * (j + 1),
; and that squares grow.
(set-logic HORN)
(set-info :status sat)
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int Int) Bool)
(assert (up 0 0))
(assert (forall ((n Int) (s Int)) (=> (up n s) (up (+ n 1) (+ s n 1)))))
(assert (forall ((n Int) (s Int)) (=> (up n s) (down n 0 s))))
(assert (forall ((n Int) (j Int) (s Int)) (=> (down n j s) (down n (+ j 1) (- s (+ j 1))))))
(assert (forall ((n Int) (j Int) (s Int)) (=> (and (down n j s) (< j n) (<= s 0)) false)))
(check-sat)
