; A path of three edges over a declared sort. Shape: a refutation with elements of that sort.
; unsat whatever the sort is.
(set-logic HORN)
(set-info :status unsat)

(declare-sort Node 0)
(declare-fun edge (Node Node) Bool)
(declare-fun path (Node Node Int) Bool)

(assert (forall ((x Node) (y Node)) (edge x y)))
(assert (forall ((x Node)) (path x x 0)))
(assert (forall ((x Node) (y Node) (z Node) (n Int))
  (=> (and (path x y n) (edge y z)) (path x z (+ n 1)))))
(assert (forall ((x Node) (y Node) (n Int)) (=> (and (path x y n) (= n 3)) false)))

(check-sat)
