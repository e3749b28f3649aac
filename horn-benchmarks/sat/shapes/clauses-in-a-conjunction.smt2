; Shape: several clauses in one assertion, under one and under several quantifiers.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (and (p 0) (forall ((x Int)) (=> (p x) (q x))) (=> (q 5) (p 5))))
(assert (forall ((x Int)) (and (=> (q x) (p x)) (=> (q x) (<= x 0)) true)))

(check-sat)
