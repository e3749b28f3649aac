; Shape: negations that cancel: (not (not (p x))) and (not (or (not (p x)) …)) in bodies.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (not (not (p 4))))
(assert (forall ((x Int)) (=> (not (or (not (p x)) (< x 4))) (q x))))
(assert (forall ((x Int)) (=> (not (not (q x))) (not (distinct x 4)))))

(check-sat)
