; A counter reaches 10: a counterexample of depth 10, the first of three (1,000 and 100,000 are in unsat/lia and open).
(set-logic HORN)
(set-info :status unsat)

(declare-fun count (Int) Bool)

(assert (count 0))
(assert (forall ((x Int)) (=> (and (count x) (< x 10)) (count (+ x 1)))))
(assert (=> (count 10) false))

(check-sat)
