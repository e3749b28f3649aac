; The leftmost path of a tree has an even or an odd number of nodes. A model needs the states of a tree
; automaton.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (right Tree)))))
(declare-fun even (Tree) Bool)
(declare-fun odd (Tree) Bool)

(assert (even leaf))
(assert (forall ((l Tree) (r Tree)) (=> (even l) (odd (node l r)))))
(assert (forall ((l Tree) (r Tree)) (=> (odd l) (even (node l r)))))
(assert (forall ((t Tree)) (=> (and (even t) (odd t)) false)))

(check-sat)
