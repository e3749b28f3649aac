; The keys of a mirrored tree come in the reverse order.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (append a b c) (append (cons h a) b (cons h c)))))

(declare-fun reverse (List List) Bool)
(assert (reverse nil nil))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (and (reverse a b) (append b (cons h nil) c)) (reverse (cons h a) c))))

(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))
(declare-fun mirror (Tree Tree) Bool)
(assert (mirror leaf leaf))
(assert (forall ((a Tree) (b Tree) (k Int) (c Tree) (d Tree))
  (=> (and (mirror a c) (mirror b d)) (mirror (node a k b) (node d k c)))))
(declare-fun inorder (Tree List) Bool)
(assert (inorder leaf nil))
(assert (forall ((a Tree) (b Tree) (k Int) (x List) (y List) (z List))
  (=> (and (inorder a x) (inorder b y) (append x (cons k y) z)) (inorder (node a k b) z))))

(assert (forall ((a Tree) (b Tree) (x List) (y List) (z List))
  (=> (and (mirror a b) (inorder a x) (inorder b y) (reverse x z) (not (= y z))) false)))

(check-sat)
