; The program P_g of Fig. 1(a) in "Automatic Abstraction in SMT-Based Unbounded Software Model Checking" (CAV 2013),
; there called gcnr in Table 1, after Gulavani, Chakraborty, Nori and Rajamani (TACAS 2008).
; Hard because y may be negated once y > 10w and z >= 100x: to exclude that takes a relation between all four counters,
; which no short path suggests.
; Invariant: z = 10w, y <= 100x, and x = y = 0 or x >= 1 /\ y >= 100; so y > 10w = z >= 100x never holds.
(set-logic HORN)
(set-info :status sat)

(declare-fun loop (Int Int Int Int) Bool) ; x y z w

(assert (forall ((x Int) (y Int) (z Int) (w Int))
  (=> (and (= x 0) (= y 0) (= z 0) (= w 0)) (loop x y z w))))

(assert (forall ((x Int) (y Int) (z Int) (w Int) (t Int) (x1 Int) (y1 Int) (z1 Int) (w1 Int))
  (=> (and (loop x y z w)
           (or (and (= x1 (+ x 1)) (= y1 (+ y 100)))
               (and (>= x 4) (= x1 (+ x 1)) (= y1 (+ y 1)))
               (and (> y (* 10 w)) (>= z (* 100 x)) (= x1 x) (= y1 (- y)))
               (and (= x1 x) (= y1 y)))
           (= t 1)
           (= w1 (+ w t))
           (= z1 (+ z (* 10 t))))
      (loop x1 y1 z1 w1))))

(assert (forall ((x Int) (y Int) (z Int) (w Int))
  (=> (and (loop x y z w) (>= x 4) (<= y 2)) false)))

(check-sat)
