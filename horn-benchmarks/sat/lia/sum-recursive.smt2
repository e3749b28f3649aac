; sum(n) = n + sum(n - 1) for n > 0, otherwise 0: never below n.
; Easy: one summary, sum >= 0 /\ sum >= n.
(set-logic HORN)
(set-info :status sat)

(declare-fun sum (Int Int) Bool)

(assert (forall ((n Int)) (=> (<= n 0) (sum n 0))))
(assert (forall ((n Int) (s Int)) (=> (and (> n 0) (sum (- n 1) s)) (sum n (+ s n)))))
(assert (forall ((n Int) (s Int)) (=> (and (sum n s) (< s n)) false)))

(check-sat)
