; The sum of the first n odd numbers is the square of n.
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int Int) Bool)
(assert (loop 0 1 0))
(assert (forall ((n Int) (odd Int) (s Int)) (=> (loop n odd s) (loop (+ n 1) (+ odd 2) (+ s odd)))))
(assert (forall ((n Int) (odd Int) (s Int)) (=> (and (loop n odd s) (not (= s (* n n)))) false)))
(check-sat)
