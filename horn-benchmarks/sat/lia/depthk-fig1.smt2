; The motivating loop of "Model checking C programs with k-induction and polyhedral invariants" (DepthK, 2020), over
; mathematical integers: x starts at 2 and becomes 2x - 1 in each of N iterations; afterwards i = N and x > 0.
; Reconstructed from the paper's text, which has figure 1 as a picture only: it says that N is any unsigned number, i = 0 and
; x = 2 at first, that a step is x' = 2x - 1 and i' = i + 1, and that two assertions follow the loop, of which one is x > 0.
; The loop's condition i < N and the other assertion, i = N, are this file's.
; Hard because x > 0 is true and not inductive (from x = 0 follows -1); x > 1 is, and so is i <= N.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int Int Int) Bool) ; n i x
(declare-fun out (Int Int Int) Bool)

(assert (forall ((n Int)) (=> (>= n 0) (head n 0 2))))
(assert (forall ((n Int) (i Int) (x Int)) (=> (and (head n i x) (< i n)) (head n (+ i 1) (- (* 2 x) 1)))))
(assert (forall ((n Int) (i Int) (x Int)) (=> (and (head n i x) (not (< i n))) (out n i x))))
(assert (forall ((n Int) (i Int) (x Int)) (=> (and (out n i x) (not (= i n))) false)))
(assert (forall ((n Int) (i Int) (x Int)) (=> (and (out n i x) (not (> x 0))) false)))

(check-sat)
