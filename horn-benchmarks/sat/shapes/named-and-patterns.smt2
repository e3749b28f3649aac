; Shape: annotations: names of clauses, patterns and weights under quantifiers, and an unknown attribute.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)

(assert (! (p 0) :named start))
(assert (forall ((x Int)) (! (=> (p x) (p (+ x 1))) :pattern ((p x)) :weight 3)))
(assert (! (forall ((x Int)) (! (=> (p x) (>= x 0)) :qid some-name)) :named |the query|))

(check-sat)
