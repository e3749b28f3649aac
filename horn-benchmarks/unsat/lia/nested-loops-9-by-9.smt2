; Two nested loops of nine rounds each count to 81, against the claim.
; Hard because both loops have to be unrolled completely: depth 100.
(set-logic HORN)
(set-info :status unsat)

(declare-fun outer (Int Int) Bool)
(declare-fun inner (Int Int Int) Bool)

(assert (outer 0 0))
(assert (forall ((i Int) (t Int)) (=> (and (outer i t) (< i 9)) (inner i 0 t))))
(assert (forall ((i Int) (j Int) (t Int)) (=> (and (inner i j t) (< j 9)) (inner i (+ j 1) (+ t 1)))))
(assert (forall ((i Int) (j Int) (t Int)) (=> (and (inner i j t) (>= j 9)) (outer (+ i 1) t))))
(assert (forall ((t Int)) (=> (and (outer 9 t) (= t 81)) false)))

(check-sat)
