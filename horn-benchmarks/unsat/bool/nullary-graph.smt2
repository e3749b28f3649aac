; As sat/bool/nullary-graph, with one edge more that closes the way to the target: a derivation of nine facts, two of
; which are premises of the same clause.
(set-logic HORN)
(set-info :status unsat)

(declare-fun n0 () Bool)
(declare-fun n1 () Bool)
(declare-fun n2 () Bool)
(declare-fun n3 () Bool)
(declare-fun n4 () Bool)
(declare-fun n5 () Bool)
(declare-fun n6 () Bool)
(declare-fun n7 () Bool)

(assert n0)
(assert (=> n0 n1))
(assert (=> n1 n2))
(assert (=> n2 n0))
(assert (=> n2 n3))
(assert (=> n1 n5))
(assert (=> (and n3 n5) n4))
(assert (=> (and n4 n5) n6))
(assert (=> n6 n7))
(assert (not n7))

(check-sat)
