; Shape: an existential quantifier in a body, around an atom and a constraint.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (p 3))
(assert (forall ((x Int)) (=> (exists ((y Int)) (and (p y) (= x (* 2 y)))) (q x))))
(assert (=> (exists ((z Int)) (and (q z) (> z 5))) false))

(check-sat)
