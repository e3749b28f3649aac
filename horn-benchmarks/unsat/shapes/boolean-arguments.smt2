; Shape: a Boolean variable as a literal of the body and as an argument, and an equality of Booleans.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Bool Bool) Bool)

(assert (forall ((b Bool)) (=> b (p b (not b)))))
(assert (forall ((a Bool) (b Bool)) (=> (p a b) (p b a))))
(assert (forall ((a Bool) (b Bool)) (=> (and (p a b) (= a (= b false)) b) false)))

(check-sat)
