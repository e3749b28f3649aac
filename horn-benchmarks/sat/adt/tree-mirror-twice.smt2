; Mirroring a binary tree twice gives the tree back.
; sat by induction over the tree. Hard because the relation is not definable without recursion.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Tree 0)) (((leaf) (node (lft Tree) (val Int) (rgt Tree)))))
(declare-fun mirror (Tree Tree) Bool)

(assert (mirror leaf leaf))
(assert (forall ((a Tree) (b Tree) (c Tree) (d Tree) (v Int))
  (=> (and (mirror a c) (mirror b d)) (mirror (node a v b) (node d v c)))))
(assert (forall ((a Tree) (b Tree) (c Tree)) (=> (and (mirror a b) (mirror b c) (not (= a c))) false)))

(check-sat)
