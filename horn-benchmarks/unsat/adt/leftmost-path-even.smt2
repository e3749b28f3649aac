; As leftmost-path-parity, with the claim that a tree of the right form has no other parity to its left.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (right Tree)))))
(declare-fun even (Tree) Bool)
(declare-fun odd (Tree) Bool)

(assert (even leaf))
(assert (forall ((l Tree) (r Tree)) (=> (even l) (odd (node l r)))))
(assert (forall ((l Tree) (r Tree)) (=> (odd l) (even (node l r)))))
(assert (forall ((l Tree) (r Tree)) (=> (and (even (node l r)) (odd l)) false)))

(check-sat)
