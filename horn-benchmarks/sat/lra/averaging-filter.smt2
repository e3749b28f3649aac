; A filter that forms x' = (3x + u) / 4 for inputs |u| <= 1 keeps |x| <= 1, which is inductive as it stands.
; Hard a little: the convex combination has to be recognised for both signs at once.
(set-logic HORN)
(set-info :status sat)

(declare-fun filter (Real) Bool)

(assert (filter 0.0))
(assert (forall ((x Real) (u Real)) (=> (and (filter x) (<= (- 1.0) u) (<= u 1.0)) (filter (/ (+ (* 3.0 x) u) 4.0)))))
(assert (forall ((x Real)) (=> (and (filter x) (or (> x 1.0) (< x (- 1.0)))) false)))

(check-sat)
