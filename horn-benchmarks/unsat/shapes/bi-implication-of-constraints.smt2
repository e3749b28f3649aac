; Shape: =, xor and => between constraints inside a body.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)

(assert (p 4))
(assert (forall ((x Int)) (=> (and (p x) (= (> x 3) (< x 9))) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (xor (> x 8) (< x 0)) (=> (> x 100) (< x 7))) false)))

(check-sat)
