; Shape: a definition that stands for atoms of predicates.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(define-fun both ((x Int)) Bool (and (p x) (q (+ x 1))))

(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (both x) (p (+ x 3)))))
(assert (not (both 7)))

(check-sat)
