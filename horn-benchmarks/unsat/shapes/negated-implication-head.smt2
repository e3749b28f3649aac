; Shape: heads that are negated: (=> (p x) (not (q x))) is a query with two atoms.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (forall ((x Int)) (=> (> x 3) (p x))))
(assert (forall ((x Int)) (=> (< x 5) (q x))))
(assert (forall ((x Int)) (=> (p x) (not (q x)))))

(check-sat)
