; Z3's rule dialect: each rule has its own copy of a declared variable: x in the first rule has nothing to do with x in the
; second one. The pairs (1, 2) and (2, 3) make no (1, 1).
(set-info :status unsat)

(declare-rel edge (Int Int))
(declare-rel path (Int Int))
(declare-rel cycle ())
(declare-var x Int)
(declare-var y Int)
(declare-var z Int)

(rule (edge 1 2))
(rule (edge 2 3))
(rule (=> (edge x y) (path x y)))
(rule (=> (and (path x y) (edge y z)) (path x z)))
(rule (=> (path x x) cycle))

(query cycle)
