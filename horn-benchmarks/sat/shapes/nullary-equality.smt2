; Shape: an equality between a nullary predicate and another one, or a constraint: implications in both directions.
(set-logic HORN)
(set-info :status sat)

(declare-fun a () Bool)
(declare-fun b () Bool)
(declare-fun c () Bool)
(declare-fun p (Int) Bool)

(assert (p 1))
(assert (= a b))
(assert (forall ((x Int)) (=> (p x) (= c (> x 5)))))
(assert (=> c a))
(assert (=> b false))

(check-sat)
