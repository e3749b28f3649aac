; Predicates without arguments: reachability in a graph of eight nodes, among them a cycle; the target lies in a part
; that the source does not reach.
; Easy; a system without a single variable.
(set-logic HORN)
(set-info :status sat)

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
(assert (=> (and n3 n5) n4))
(assert (=> n4 n5))
(assert (=> n5 n6))
(assert (=> n6 n7))
(assert (not n7))

(check-sat)
