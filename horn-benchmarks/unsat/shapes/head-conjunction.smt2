; Shape: a head that is a conjunction of atoms and a constraint; it stands for three clauses.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Int) Bool)

(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (and (q (+ x 1)) (> x 0) (r (+ x 2))))))
(assert (forall ((x Int) (y Int)) (=> (and (q x) (r y) (= y 3)) (< x 2))))

(check-sat)
