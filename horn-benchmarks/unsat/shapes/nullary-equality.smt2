; Shape: as sat/shapes/nullary-equality, where the equality leads from a over b to the error.
(set-logic HORN)
(set-info :status unsat)

(declare-fun a () Bool)
(declare-fun b () Bool)
(declare-fun p (Int) Bool)

(assert (p 6))
(assert (forall ((x Int)) (=> (p x) (= a (> x 5)))))
(assert (= b a))
(assert (not b))

(check-sat)
