; Three counters moved by two kinds of steps keep 3x + 2y = z.
; Hard because the coefficients have to be found from a few runs, while differences of pairs say nothing.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int Int Int) Bool)

(assert (head 0 0 0))
(assert (forall ((x Int) (y Int) (z Int)) (=> (head x y z) (head (+ x 1) y (+ z 3)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (head x y z) (head x (+ y 1) (+ z 2)))))
(assert (forall ((z Int)) (=> (and (head 10 20 z) (not (= z 70))) false)))

(check-sat)
