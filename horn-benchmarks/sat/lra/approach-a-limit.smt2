; x moves half of its distance to 1 in each step and never gets there: x < 1 strictly.
; Hard because all finite unrollings suggest larger and larger bounds below 1.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Real) Bool)

(assert (head 0.0))
(assert (forall ((x Real)) (=> (head x) (head (/ (+ x 1.0) 2.0)))))
(assert (forall ((x Real)) (=> (and (head x) (>= x 1.0)) false)))

(check-sat)
