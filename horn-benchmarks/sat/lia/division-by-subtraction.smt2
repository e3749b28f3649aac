; Quotient and remainder are computed by subtractions. A model needs the equation x = q * y + r.
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (<= 0 x) (< 0 y)) (loop x y 0 x))))
(assert (forall ((x Int) (y Int) (q Int) (r Int)) (=> (and (loop x y q r) (<= y r)) (loop x y (+ q 1) (- r y)))))
(assert (forall ((x Int) (y Int) (q Int) (r Int))
  (=> (and (loop x y q r) (< r y) (not (and (= x (+ (* q y) r)) (<= 0 r)))) false)))
(check-sat)
