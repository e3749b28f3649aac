; Shape: distinct is pairwise: (distinct 1 2 1) is false, so its negation holds.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int Int Int) Bool)

(assert (p 1 2 1))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (not (distinct x y z))) false)))

(check-sat)
