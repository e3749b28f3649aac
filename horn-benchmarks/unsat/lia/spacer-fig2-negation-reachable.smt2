; The program of Fig. 2 of the SPACER paper with z growing by 100 instead of 1 and w by 9 instead of 10: now y > 10w and
; z >= 100x can hold together, y is negated, and the error is reached.
; Hard a little: five iterations through two branches in the right order, with b chosen accordingly.
(set-logic HORN)
(set-info :status unsat)

(declare-fun loop (Int Int Int Int Int Int) Bool)

(assert (forall ((c Int) (b Int)) (=> (and (<= 0 c) (<= c b)) (loop 0 0 0 0 c b))))
(assert (forall ((x Int) (y Int) (z Int) (w Int) (c Int) (b Int) (x1 Int) (y1 Int) (z1 Int) (w1 Int) (c1 Int))
  (=> (and (loop x y z w c b)
           (< 0 c)
           (or (and (= x1 (+ x 1)) (= y1 (+ y 100)))
               (and (>= x 4) (= x1 (+ x 1)) (= y1 (+ y 1)))
               (and (> y (* 10 w)) (>= z (* 100 x)) (= x1 x) (= y1 (- y))))
           (= z1 (+ z 100))
           (= w1 (+ w 9))
           (= c1 (- c 1)))
      (loop x1 y1 z1 w1 c1 b))))
(assert (forall ((x Int) (y Int) (z Int) (w Int) (c Int) (b Int))
  (=> (and (loop x y z w c b) (= c 0) (>= x 4) (<= y 2)) false)))

(check-sat)
