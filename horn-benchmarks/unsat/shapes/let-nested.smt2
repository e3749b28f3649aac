; Shape: nested let with shadowing, around the whole clause and inside its arithmetic.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)

(assert (let ((a 3)) (let ((a (+ a 1)) (b a)) (p (+ a b)))))
(assert (forall ((x Int)) (=> (p x) (let ((y (let ((x (* 2 x))) (+ x 1)))) (p y)))))
(assert (not (p 15)))

(check-sat)
