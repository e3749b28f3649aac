; Shape: an existential quantifier in a body that uses the name of an outer variable; the inner x is another one.
; Wrong in a reader that confuses them: then q holds only where p does, and the query is reached with x = 1.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (p 1))
(assert (forall ((x Int)) (=> (and (= x 7) (exists ((x Int)) (p x))) (q x))))
(assert (forall ((x Int)) (=> (and (q x) (not (= x 7))) false)))
(assert (forall ((x Int)) (=> (and (p x) (exists ((x Int)) (and (q x) (= x 1)))) false)))

(check-sat)
