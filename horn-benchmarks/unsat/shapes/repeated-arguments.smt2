; Shape: repeated arguments that filter the facts: (p x x) matches only one of three.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int Int) Bool)
(declare-fun q (Int) Bool)

(assert (p 1 2))
(assert (p 3 4))
(assert (p 5 5))
(assert (forall ((x Int)) (=> (p x x) (q x))))
(assert (not (q 5)))

(check-sat)
