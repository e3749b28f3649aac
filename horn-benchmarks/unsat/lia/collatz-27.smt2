; The Collatz sequence from 27 reaches 1, against the claim, after 111 steps and through 9232.
; Hard because values rise and fall without a pattern; only simulation helps, which also gave the verdict.
(set-logic HORN)
(set-info :status unsat)

(declare-fun c (Int) Bool)

(assert (c 27))
(assert (forall ((x Int)) (=> (and (c x) (= (mod x 2) 0)) (c (div x 2)))))
(assert (forall ((x Int)) (=> (and (c x) (= (mod x 2) 1) (> x 1)) (c (+ (* 3 x) 1)))))
(assert (=> (c 1) false))

(check-sat)
