; Shape: a declared sort of which nothing is known but equality.
(set-logic HORN)
(set-info :status sat)

(declare-sort Node 0)
(declare-fun edge (Node Node) Bool)
(declare-fun path (Node Node) Bool)

(assert (forall ((x Node)) (edge x x)))
(assert (forall ((x Node) (y Node)) (=> (edge x y) (path x y))))
(assert (forall ((x Node) (y Node) (z Node)) (=> (and (path x y) (edge y z)) (path x z))))
(assert (forall ((x Node) (y Node)) (=> (and (path x y) (not (= x y))) false)))

(check-sat)
