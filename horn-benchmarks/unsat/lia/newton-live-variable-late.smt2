; The live-variable example (see sat/lia/newton-live-variable) with a body that sets k to -1: y falls, and after as many
; rounds as y had at first the assertion fails.
; Easy: one round is enough for y = 1, chosen at the start.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head (Int Int) Bool)

(assert (forall ((k Int) (y Int)) (=> (and (= k 0) (> y k)) (head k y))))
(assert (forall ((k Int) (y Int) (k1 Int) (y1 Int)) (=> (and (head k y) (= k1 (- 1)) (= y1 (+ y k1))) (head k1 y1))))
(assert (forall ((k Int) (y Int)) (=> (and (head k y) (not (> y 0))) false)))

(check-sat)
