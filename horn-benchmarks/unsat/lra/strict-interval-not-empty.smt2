; Between any two numbers there is a third: p holds strictly between 0 and 10^-9, q strictly between 0 and any such
; number, and still two q can be found of which one is a thousand times the other.
; Wrong in a solver that treats strict bounds as bounds moved by a fixed amount.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Real) Bool)
(declare-fun q (Real) Bool)

(assert (forall ((x Real)) (=> (and (< 0.0 x) (< x 0.000000001)) (p x))))
(assert (forall ((x Real) (y Real)) (=> (and (p x) (< 0.0 y) (< y x)) (q y))))
(assert (forall ((x Real) (y Real) (z Real))
  (=> (and (p x) (q y) (q z) (< y z) (< z x) (< (* 1000.0 y) z)) false)))

(check-sat)
