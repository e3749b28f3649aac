; Z3's rule dialect with named rules and a certificate asked for: a path over three edges.
(set-info :status sat)

(declare-rel edge (Int Int))
(declare-rel path (Int Int))
(declare-rel found ())
(declare-var x Int)
(declare-var y Int)
(declare-var z Int)

(rule (edge 1 2) first-edge)
(rule (edge 2 5) second-edge)
(rule (edge 5 1) third-edge)
(rule (=> (edge x y) (path x y)) base)
(rule (=> (and (path x y) (edge y z)) (path x z)) |step of a path|)
(rule (=> (path 2 2) found))

(query found)
