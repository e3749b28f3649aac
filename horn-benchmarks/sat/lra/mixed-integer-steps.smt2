; An integer counter and a real sum that grows by at most one third a step: 3 * sum <= count throughout.
; Hard a little: Int and Real are mixed through to_real.
(set-logic HORN)
(set-info :status sat)

(declare-fun walk (Int Real) Bool)

(assert (walk 0 0.0))
(assert (forall ((n Int) (s Real) (d Real))
  (=> (and (walk n s) (<= 0.0 d (/ 1.0 3.0))) (walk (+ n 1) (+ s d)))))
(assert (forall ((n Int) (s Real)) (=> (and (walk n s) (> (* 3.0 s) (to_real n))) false)))

(check-sat)
