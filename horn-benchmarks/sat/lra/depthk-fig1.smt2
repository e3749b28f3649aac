; The motivating loop of the DepthK paper (2020) over the reals: x starts at 2 and becomes 2x - 1; x > 0 always.
; Reconstructed from the paper's text, which gives the first value of x, the step and the property, and the iterates from 0.9;
; the paper means floating-point numbers and counts the iterations, as this file does not.
; Hard because x > 0 is not inductive: from x = 0.9 it takes four iterations to fall below 0. x >= 1 is inductive.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Real) Bool)

(assert (head 2.0))
(assert (forall ((x Real)) (=> (head x) (head (- (* 2.0 x) 1.0)))))
(assert (forall ((x Real)) (=> (and (head x) (not (> x 0.0))) false)))

(check-sat)
