; Shape: as sat/shapes/exists-shadows; q(7) can be derived only if the inner x is another variable than the outer one.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (p 1))
(assert (forall ((x Int)) (=> (and (= x 7) (exists ((x Int)) (p x))) (q x))))
(assert (not (q 7)))

(check-sat)
