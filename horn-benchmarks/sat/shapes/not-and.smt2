; Shape: queries as (not (and …)) under a quantifier.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)

(assert (p 5))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (not (and (p x) (< x 5)))))

(check-sat)
