; For each of n rounds an inner loop adds m: afterwards the total is at least n when m >= 1.
; Hard a little: the outer invariant total >= i has to be carried through the inner loop as total >= i + j.
(set-logic HORN)
(set-info :status sat)

(declare-fun outer (Int Int Int Int) Bool) ; n m i total
(declare-fun inner (Int Int Int Int Int) Bool) ; n m i j total

(assert (forall ((n Int) (m Int)) (=> (and (>= n 0) (>= m 1)) (outer n m 0 0))))
(assert (forall ((n Int) (m Int) (i Int) (t Int)) (=> (and (outer n m i t) (< i n)) (inner n m i 0 t))))
(assert (forall ((n Int) (m Int) (i Int) (j Int) (t Int))
  (=> (and (inner n m i j t) (< j m)) (inner n m i (+ j 1) (+ t 1)))))
(assert (forall ((n Int) (m Int) (i Int) (j Int) (t Int))
  (=> (and (inner n m i j t) (>= j m)) (outer n m (+ i 1) t))))
(assert (forall ((n Int) (m Int) (i Int) (t Int)) (=> (and (outer n m i t) (>= i n) (< t n)) false)))

(check-sat)
