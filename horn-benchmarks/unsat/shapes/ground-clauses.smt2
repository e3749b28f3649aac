; Shape: clauses without any quantifier.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int Int) Bool)
(declare-fun q (Int) Bool)

(assert (p 1 2))
(assert (=> (p 1 2) (q 3)))
(assert (=> (and (q 3) (< 2 3)) (q 4)))
(assert (=> (q 4) false))

(check-sat)
