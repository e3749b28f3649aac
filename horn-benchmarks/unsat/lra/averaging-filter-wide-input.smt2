; The filter of sat/lra/averaging-filter with inputs up to 2: x passes 1 after three steps.
(set-logic HORN)
(set-info :status unsat)

(declare-fun filter (Real) Bool)

(assert (filter 0.0))
(assert (forall ((x Real) (u Real)) (=> (and (filter x) (<= (- 2.0) u) (<= u 2.0)) (filter (/ (+ (* 3.0 x) u) 4.0)))))
(assert (forall ((x Real)) (=> (and (filter x) (> x 1.0)) false)))

(check-sat)
