; A counter reaches 100,000, as unsat/lia/long-10 does 10.
; unsat by construction: the chain of facts count(0), …, count(100000). Hard because it has to be found and checked step
; by step, unless the loop is accelerated.
(set-logic HORN)
(set-info :status unsat)

(declare-fun count (Int) Bool)

(assert (count 0))
(assert (forall ((x Int)) (=> (and (count x) (< x 100000)) (count (+ x 1)))))
(assert (=> (count 100000) false))

(check-sat)
