; A mirror image that has the left subtree twice.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (label Int) (right Tree)))))
(declare-fun mirror (Tree Tree) Bool)
(declare-fun size (Tree Int) Bool)

(assert (mirror leaf leaf))
(assert (forall ((l Tree) (x Int) (r Tree) (m Tree) (n Tree)) (=> (and (mirror l m) (mirror r n)) (mirror (node l x r) (node m x m)))))
(assert (size leaf 0))
(assert (forall ((l Tree) (x Int) (r Tree) (m Int) (n Int)) (=> (and (size l m) (size r n)) (size (node l x r) (+ m n 1)))))
(assert (forall ((a Tree) (b Tree) (m Int) (n Int)) (=> (and (mirror a b) (size a m) (size b n) (not (= m n))) false)))

(check-sat)
