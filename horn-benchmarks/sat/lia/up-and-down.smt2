; Count up to n, then down to 0 with a second counter going up: the second counter ends at n.
; Hard a little: the second loop needs x + y = n, which only the exit of the first loop establishes.
(set-logic HORN)
(set-info :status sat)

(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int Int) Bool)

(assert (forall ((n Int)) (=> (>= n 0) (up n 0))))
(assert (forall ((n Int) (x Int)) (=> (and (up n x) (< x n)) (up n (+ x 1)))))
(assert (forall ((n Int) (x Int)) (=> (and (up n x) (>= x n)) (down n x 0))))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (down n x y) (> x 0)) (down n (- x 1) (+ y 1)))))
(assert (forall ((n Int) (x Int) (y Int)) (=> (and (down n x y) (<= x 0) (not (= y n))) false)))

(check-sat)
