; The loop of Gulwani and others: x counts to 100, and from 50 on y, which starts at 50, goes along; then y = 100.
; Hard because the invariant is disjunctive: x <= 50 /\ y = 50, or x >= 50 /\ x = y.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int Int) Bool)

(assert (head 0 50))
(assert (forall ((x Int) (y Int) (y1 Int))
  (=> (and (head x y) (< x 100) (= y1 (ite (> (+ x 1) 50) (+ y 1) y))) (head (+ x 1) y1))))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= x 100) (not (= y 100))) false)))

(check-sat)
