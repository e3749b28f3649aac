; A counter in four phases of thousands of steps, in which another value grows, grows faster, falls fast, and falls to 0.
; Hard because the value is a different function of the counter in each phase, and no phase is seen from the next but by
; counting through it.
; Invariant: n <= 3000 and v = n; 3000 <= n <= 5000 and v = 3n - 6000; 5000 <= n <= 7000 and v = 24000 - 3n; 7000 <= n and
; v = 10000 - n.
(set-logic HORN)
(set-info :status sat)

(declare-fun loop (Int Int) Bool)

(assert (loop 0 0))
(assert (forall ((n Int) (v Int) (w Int))
  (=> (and (loop n v)
           (= w (ite (< n 3000) (+ v 1) (ite (< n 5000) (+ v 3) (ite (< n 7000) (- v 3) (- v 1))))))
      (loop (+ n 1) w))))
(assert (forall ((n Int) (v Int)) (=> (and (loop n v) (= n 10000) (distinct v 0)) false)))

(check-sat)
