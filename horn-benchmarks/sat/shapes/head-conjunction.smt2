; Shape: a head that is a conjunction, one of whose parts is the whole query.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (and (p 1) (q 1)))
(assert (forall ((x Int)) (=> (p x) (and (p (* 2 x)) (q x) (not (< x 1))))))
(assert (forall ((x Int)) (=> (q x) (and (> x 0) (p x)))))

(check-sat)
