; The program of Fig. 1(a) of the SPACER paper (see sat/lia/spacer-fig1a-gcnr) with its guard x >= 4 weakened to x >= 0
; and the threshold of the query raised: y stays low while x passes 4 in single steps.
; Refuted within four iterations, all by the second branch.
(set-logic HORN)
(set-info :status unsat)

(declare-fun loop (Int Int Int Int) Bool)

(assert (forall ((x Int) (y Int) (z Int) (w Int))
  (=> (and (= x 0) (= y 0) (= z 0) (= w 0)) (loop x y z w))))
(assert (forall ((x Int) (y Int) (z Int) (w Int) (x1 Int) (y1 Int) (z1 Int) (w1 Int))
  (=> (and (loop x y z w)
           (or (and (= x1 (+ x 1)) (= y1 (+ y 100)))
               (and (>= x 0) (= x1 (+ x 1)) (= y1 (+ y 1)))
               (and (> y (* 10 w)) (>= z (* 100 x)) (= x1 x) (= y1 (- y)))
               (and (= x1 x) (= y1 y)))
           (= w1 (+ w 1))
           (= z1 (+ z 10)))
      (loop x1 y1 z1 w1))))
(assert (forall ((x Int) (y Int) (z Int) (w Int))
  (=> (and (loop x y z w) (>= x 4) (<= y 4)) false)))

(check-sat)
