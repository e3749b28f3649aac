; A thermostat: between 18 and 22 degrees the heater follows its mode; the temperature moves by between 0.5 and 2 degrees
; a step. It stays strictly below 24 and strictly above 16.
; Hard a little: strict bounds, and a step of any size in an interval.
(set-logic HORN)
(set-info :status sat)

(declare-fun room (Bool Real) Bool) ; heating, temperature

(assert (room true 20.0))
(assert (forall ((x Real) (d Real)) (=> (and (room true x) (<= x 22.0) (<= 0.5 d) (< d 2.0)) (room true (+ x d)))))
(assert (forall ((x Real)) (=> (and (room true x) (> x 22.0)) (room false x))))
(assert (forall ((x Real) (d Real)) (=> (and (room false x) (>= x 18.0) (<= 0.5 d) (< d 2.0)) (room false (- x d)))))
(assert (forall ((x Real)) (=> (and (room false x) (< x 18.0)) (room true x))))
(assert (forall ((h Bool) (x Real)) (=> (and (room h x) (or (>= x 24.0) (<= x 16.0))) false)))

(check-sat)
