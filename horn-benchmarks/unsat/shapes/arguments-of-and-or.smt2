; Shape: and, or with no, one and many arguments; true and false as literals of a body.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)

(assert (forall ((x Int)) (=> (and (= x 1)) (p x))))
(assert (forall ((x Int)) (=> (and true (p x) (or (= x 1)) (or false (> x 0) (< x 0))) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (or (= x 2) false)) false)))

(check-sat)
