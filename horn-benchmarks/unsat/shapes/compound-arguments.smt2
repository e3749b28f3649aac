; Shape: terms as arguments of predicates, in bodies as well: (p (+ x 1) (* 2 y)) matches p(6, 8) with x = 5, y = 4.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int Int) Bool)
(declare-fun q (Int) Bool)

(assert (p (+ 1 5) (- 10 2)))
(assert (forall ((x Int) (y Int)) (=> (p (+ x 1) (* 2 y)) (q (- x y)))))
(assert (not (q 1)))

(check-sat)
