; The two nested loops that illustrate invariant generation in the DepthK paper (2020): i runs below nlen, and for each
; i an inner loop of eight rounds checks 0 <= nlen - 1 - i < nlen.
; Reconstructed from the paper's text, which has figure 3 as a picture only: it gives both assertions, the eight rounds of the
; inner loop, which counts j and leaves i and nlen alone, and the invariants 0 <= i and i + 1 <= nlen. That i starts at 0 and
; runs while i < nlen, and that nlen is any integer, fits all of that and is this file's reading.
; Hard for bounded methods, which must unwind both loops; 0 <= i and i + 1 <= nlen are needed in the inner loop.
(set-logic HORN)
(set-info :status sat)

(declare-fun outer (Int Int) Bool) ; nlen i
(declare-fun inner (Int Int Int) Bool) ; nlen i j

(assert (forall ((n Int)) (outer n 0)))
(assert (forall ((n Int) (i Int)) (=> (and (outer n i) (< i n)) (inner n i 0))))
(assert (forall ((n Int) (i Int) (j Int)) (=> (and (inner n i j) (< j 8)) (inner n i (+ j 1)))))
(assert (forall ((n Int) (i Int) (j Int)) (=> (and (inner n i j) (>= j 8)) (outer n (+ i 1)))))
(assert (forall ((n Int) (i Int) (j Int)) (=> (and (inner n i j) (< j 8)) (< (- n 1 i) n))))
(assert (forall ((n Int) (i Int) (j Int)) (=> (and (inner n i j) (< j 8)) (<= 0 (- n 1 i)))))

(check-sat)
