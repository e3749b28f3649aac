; The false claim ack(3, 5) /= 253.
; unsat by the definition: ack(3, n) = 2^(n + 3) - 3. Hard because of some 42,000 calls, though only some hundred
; different ones.
(set-logic HORN)
(set-info :status unsat)

(declare-fun ack (Int Int Int) Bool)

(assert (forall ((n Int)) (=> (>= n 0) (ack 0 n (+ n 1)))))
(assert (forall ((m Int) (r Int)) (=> (and (> m 0) (ack (- m 1) 1 r)) (ack m 0 r))))
(assert (forall ((m Int) (n Int) (t Int) (r Int))
  (=> (and (> m 0) (> n 0) (ack m (- n 1) t) (ack (- m 1) t r)) (ack m n r))))
(assert (=> (ack 3 5 253) false))

(check-sat)
