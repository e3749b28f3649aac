; The sum of the first n numbers is n * n for n = 1 only.
(set-logic HORN)
(set-info :status unsat)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (<= 1 n) (loop n 0 1))))
(assert (forall ((n Int) (sum Int) (i Int)) (=> (and (loop n sum i) (<= i n)) (loop n (+ sum i) (+ i 1)))))
(assert (forall ((n Int) (sum Int) (i Int)) (=> (and (loop n sum i) (< n i) (not (= sum (* n n)))) false)))
(check-sat)
