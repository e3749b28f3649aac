; A clause whose head is a constraint that does not always hold: (=> (p x) (>= x 0)) fails at x = -3.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)

(assert (p 3))
(assert (forall ((x Int)) (=> (p x) (p (- x 2)))))
(assert (forall ((x Int)) (=> (p x) (>= x (- 2)))))

(check-sat)
