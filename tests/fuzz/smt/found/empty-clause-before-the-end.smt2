; A step of the proof's text was the empty clause before the last one: the text went on and did not end with it.
(set-logic QF_LRA)
(declare-const r2 Real)
(declare-const r1 Real)
(assert (let ((?0 (ite (<= (+ r1 r2) 590295810358705651711.0) (+ (ite (= r2 (- 1.0)) 0.0 1.0) 1.0) 1.0))) (let ((?1 (ite (< 0.0 (+ r1 r1 (* (- 9223372036854775808.0) r1))) ?0 (+ ?0 1.0)))) (not (or (not (= r2 1.0)) (<= r2 r1) (and (not (= r2 ?1)) (not (= ?1 5.0))))))))
(check-sat)
