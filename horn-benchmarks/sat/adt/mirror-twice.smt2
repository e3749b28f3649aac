; Who mirrors a tree twice has the tree.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (append a b c) (append (cons h a) b (cons h c)))))

(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))
(declare-fun mirror (Tree Tree) Bool)
(assert (mirror leaf leaf))
(assert (forall ((a Tree) (b Tree) (k Int) (c Tree) (d Tree))
  (=> (and (mirror a c) (mirror b d)) (mirror (node a k b) (node d k c)))))
(declare-fun inorder (Tree List) Bool)
(assert (inorder leaf nil))
(assert (forall ((a Tree) (b Tree) (k Int) (x List) (y List) (z List))
  (=> (and (inorder a x) (inorder b y) (append x (cons k y) z)) (inorder (node a k b) z))))

(assert (forall ((a Tree) (b Tree) (c Tree))
  (=> (and (mirror a b) (mirror b c) (not (= a c))) false)))

(check-sat)
