; A real number is halved from 1 until it is below 10^-100.
; unsat by construction: 2^-333 < 10^-100. Hard because of the length and of fractions with 100 digits.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head (Int Real) Bool)

(assert (head 0 1.0))
(assert (forall ((n Int) (x Real)) (=> (head n x) (head (+ n 1) (/ x 2.0)))))
(assert (forall ((x Real))
  (=> (and (head 333 x)
           (< (* x
                 10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000.0)
              1.0))
      false)))

(check-sat)
