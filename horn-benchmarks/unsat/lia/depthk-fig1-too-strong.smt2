; The loop of the DepthK paper, reconstructed from its text (see sat/lia/depthk-fig1), with the false claim that x stays below
; 1000: after ten doublings x = 1025. The claim is this file's.
; Hard a little: the value has to be computed through ten iterations.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head (Int Int Int) Bool)

(assert (forall ((n Int)) (=> (>= n 0) (head n 0 2))))
(assert (forall ((n Int) (i Int) (x Int)) (=> (and (head n i x) (< i n)) (head n (+ i 1) (- (* 2 x) 1)))))
(assert (forall ((n Int) (i Int) (x Int)) (=> (and (head n i x) (>= i n) (>= x 1000)) false)))

(check-sat)
