; A counter in four phases of thousands of steps, in which another value grows, grows faster, falls fast, and falls below 0.
; Hard because the only derivation of false has more than ten thousand steps, each of which is written out in the refutation.
(set-logic HORN)
(set-info :status unsat)

(declare-fun loop (Int Int) Bool)

(assert (loop 0 0))
(assert (forall ((n Int) (v Int) (w Int))
  (=> (and (loop n v)
           (= w (ite (< n 3000) (+ v 1) (ite (< n 5000) (+ v 3) (ite (< n 7000) (- v 3) (- v 1))))))
      (loop (+ n 1) w))))
(assert (forall ((n Int) (v Int)) (=> (and (loop n v) (> n 10000) (= v (- 50))) false)))

(check-sat)
