; Shape: the same variable several times among the arguments of a predicate, in heads and bodies.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int Int Int) Bool)

(assert (forall ((x Int)) (p x x x)))
(assert (forall ((x Int) (y Int)) (=> (p x y x) (p y y x))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (not (= x y z))) false)))

(check-sat)
