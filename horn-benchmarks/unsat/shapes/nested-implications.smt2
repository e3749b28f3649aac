; Shape: an implication as the head of a disjunction, and => with more than two arguments (it associates to the right).
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (p 7))
(assert (forall ((x Int)) (or (not (p x)) (=> (> x 5) (q x)))))
(assert (forall ((x Int) (y Int)) (=> (p x) (q y) (= x y) (p (+ x y)))))
(assert (forall ((x Int)) (=> (p x) (> x 13) false)))

(check-sat)
