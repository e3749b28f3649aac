; Shape: (=> a b c d) means (=> a (=> b (=> c d))).
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)

(assert (p 2))
(assert (forall ((x Int)) (=> (p x) (< x 100) (> x 0) (p (* x 2)))))
(assert (forall ((x Int)) (=> (p x) (= x 0) (p x) false)))

(check-sat)
