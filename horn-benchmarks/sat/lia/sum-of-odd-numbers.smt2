; The sum of the first n odd numbers is n squared, the square being computed by repeated addition in a second loop.
; sat because after k rounds the first loop holds k * k and the second one n * j. Hard because the invariants are not linear.
(set-logic HORN)
(set-info :status sat)

(declare-fun odds (Int Int Int) Bool) ; n k sum
(declare-fun square (Int Int Int Int) Bool) ; n sum j product

(assert (forall ((n Int)) (=> (>= n 0) (odds n 0 0))))
(assert (forall ((n Int) (k Int) (s Int)) (=> (and (odds n k s) (< k n)) (odds n (+ k 1) (+ s k k 1)))))
(assert (forall ((n Int) (s Int)) (=> (odds n n s) (square n s 0 0))))
(assert (forall ((n Int) (s Int) (j Int) (p Int)) (=> (and (square n s j p) (< j n)) (square n s (+ j 1) (+ p n)))))
(assert (forall ((n Int) (s Int) (p Int)) (=> (and (square n s n p) (not (= s p))) false)))

(check-sat)
