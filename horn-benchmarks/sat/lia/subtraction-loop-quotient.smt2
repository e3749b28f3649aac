; Division with remainder by repeated subtraction: n = q * 7 + r at all times and 0 <= r < 7 at the end.
; Hard a little: the equality has a coefficient and both bounds of r are needed.
; Invariant: n = 7q + r and r >= 0.
(set-logic HORN)
(set-info :status sat)

(declare-fun loop (Int Int Int) Bool) ; n q r

(assert (forall ((n Int)) (=> (>= n 0) (loop n 0 n))))
(assert (forall ((n Int) (q Int) (r Int)) (=> (and (loop n q r) (>= r 7)) (loop n (+ q 1) (- r 7)))))
(assert (forall ((n Int) (q Int) (r Int))
  (=> (and (loop n q r) (< r 7) (not (and (= q (div n 7)) (= r (mod n 7))))) false)))

(check-sat)
