; The false claim ack(2, 3) /= 9.
; Hard because the derivation uses results as arguments: 44 calls, of which many repeat.
(set-logic HORN)
(set-info :status unsat)

(declare-fun ack (Int Int Int) Bool)

(assert (forall ((n Int)) (=> (>= n 0) (ack 0 n (+ n 1)))))
(assert (forall ((m Int) (r Int)) (=> (and (> m 0) (ack (- m 1) 1 r)) (ack m 0 r))))
(assert (forall ((m Int) (n Int) (t Int) (r Int))
  (=> (and (> m 0) (> n 0) (ack m (- n 1) t) (ack (- m 1) t r)) (ack m n r))))
(assert (=> (ack 2 3 9) false))

(check-sat)
