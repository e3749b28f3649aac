; The clauses of counters.smt2 with a model in place of the predicate.
; Can a clause fail? Three times no: the model is right.
(set-logic QF_LIA)
(define-fun head ((x0 Int) (x1 Int)) Bool
  (= x0 x1))
(declare-const x Int)
(declare-const y Int)
(push)
(assert (not (head 0 0)))
(check-sat)
(pop)
(push)
(assert (not (=> (head x y) (head (+ x 1) (+ y 1)))))
(check-sat)
(pop)
(push)
(assert (not (=> (and (head x y) (not (= x y))) false)))
(check-sat)
(pop)
