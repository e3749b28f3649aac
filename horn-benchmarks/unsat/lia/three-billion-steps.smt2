; Two loops, one after the other, of a billion and of two billion steps, in which another value grows by 3 and falls by 2.
; Hard because the only derivation of false has three billion steps: it can be told and checked, but not written out.
(set-logic HORN)
(set-info :status unsat)

(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int) Bool)

(assert (up 0 7))
(assert (forall ((n Int) (v Int)) (=> (and (up n v) (< n 1000000000)) (up (+ n 1) (+ v 3)))))
(assert (forall ((n Int) (v Int)) (=> (and (up n v) (= n 1000000000)) (down 0 v))))
(assert (forall ((n Int) (v Int)) (=> (and (down n v) (< n 2000000000)) (down (+ n 1) (- v 2)))))
(assert (forall ((n Int) (v Int)) (=> (and (down n v) (> n 1999999999) (= v (- 999999993))) false)))

(check-sat)
