; Shape: terms as arguments: (p (* 2 x)) in a body matches even numbers only.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (p 3))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (p (* 2 x)) (q x))))
(assert (forall ((x Int)) (not (q x))))

(check-sat)
