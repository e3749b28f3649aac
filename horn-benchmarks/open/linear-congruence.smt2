; A linear congruential generator modulo 65536 started at 0 arrives at 33176.
; unsat by simulation: after exactly 5,000 steps. Hard because nothing but the sequence itself leads there.
(set-logic HORN)
(set-info :status unsat)

(declare-fun r (Int) Bool)

(assert (r 0))
(assert (forall ((x Int)) (=> (r x) (r (mod (+ (* 20077 x) 12345) 65536)))))
(assert (=> (r 33176) false))

(check-sat)
