; A contracting rotation, x' = (x - y) / 2 and y' = (x + y) / 2, started in the unit square: |x| and |y| stay within 2.
; Hard because the square |x|, |y| <= 1 is invariant but follows from no single bound: all four are needed together.
(set-logic HORN)
(set-info :status sat)

(declare-fun at (Real Real) Bool)

(assert (forall ((x Real) (y Real)) (=> (and (<= (- 1.0) x 1.0) (<= (- 1.0) y 1.0)) (at x y))))
(assert (forall ((x Real) (y Real)) (=> (at x y) (at (/ (- x y) 2.0) (/ (+ x y) 2.0)))))
(assert (forall ((x Real) (y Real)) (=> (and (at x y) (or (> x 2.0) (< x (- 2.0)) (> y 2.0) (< y (- 2.0)))) false)))

(check-sat)
