; Shape: ite whose branches are predicates, in a head: two clauses, one for each branch.
(set-logic HORN)
(set-info :status unsat)

(declare-fun s (Int) Bool)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (s 5))
(assert (forall ((x Int)) (=> (s x) (ite (> x 3) (p x) (q x)))))
(assert (not (p 5)))

(check-sat)
