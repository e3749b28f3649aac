; The running example of Section 2 of the SPACER paper (CAV 2013), rebuilt from its abstractions (Fig. 3) and
; invariants (Fig. 4): c counts the iterations down from the bound b. The invariant is z <= 100x - 90 \/ y <= 10w,
; z <= 100x, y >= 0, x <= 0 \/ y >= 100.
; Hard because proofs for small bounds talk about c and b, which no safe inductive invariant mentions.
(set-logic HORN)
(set-info :status sat)

(declare-fun loop (Int Int Int Int Int Int) Bool) ; x y z w c b

(assert (forall ((c Int) (b Int))
  (=> (and (<= 0 c) (<= c b)) (loop 0 0 0 0 c b))))

(assert (forall ((x Int) (y Int) (z Int) (w Int) (c Int) (b Int) (x1 Int) (y1 Int) (z1 Int) (w1 Int) (c1 Int))
  (=> (and (loop x y z w c b)
           (< 0 c)
           (or (and (= x1 (+ x 1)) (= y1 (+ y 100)))
               (and (>= x 4) (= x1 (+ x 1)) (= y1 (+ y 1)))
               (and (> y (* 10 w)) (>= z (* 100 x)) (= x1 x) (= y1 (- y))))
           (= z1 (+ z 1))
           (= w1 (+ w 10))
           (= c1 (- c 1)))
      (loop x1 y1 z1 w1 c1 b))))

(assert (forall ((x Int) (y Int) (z Int) (w Int) (c Int) (b Int))
  (=> (and (loop x y z w c b) (= c 0) (>= x 4) (<= y 2)) false)))

(check-sat)
