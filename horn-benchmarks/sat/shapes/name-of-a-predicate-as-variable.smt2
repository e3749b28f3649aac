; Shape: a bound Boolean variable with the name of a nullary predicate hides it, also inside a let.
(set-logic HORN)
(set-info :status sat)

(declare-fun a () Bool)
(declare-fun p (Bool) Bool)

(assert (forall ((a Bool)) (=> (not a) (p a))))
(assert (forall ((b Bool)) (=> (p b) (let ((a (not b))) (=> (not a) (p true))))))
(assert (not a))
(assert (forall ((b Bool)) (=> (p b) (not b))))

(check-sat)
