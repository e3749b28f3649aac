; Shape: a universal quantifier inside the head, around an implication.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun r (Int Int) Bool)

(assert (p 3))
(assert (forall ((x Int)) (=> (p x) (forall ((y Int)) (=> (< y x) (r x y))))))
(assert (not (exists ((a Int) (b Int)) (and (r a b) (= (+ a b) 5)))))

(check-sat)
