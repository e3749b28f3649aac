; A binary tree built with its size and height beside it: the height never exceeds the size.
; Hard a little: non-linear, and the tree itself is not needed for the proof.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Tree 0)) (((leaf) (node (lft Tree) (val Int) (rgt Tree)))))
(declare-fun t (Tree Int Int) Bool) ; tree size height

(assert (t leaf 0 0))
(assert (forall ((a Tree) (b Tree) (v Int) (m Int) (n Int) (h Int) (k Int))
  (=> (and (t a m h) (t b n k)) (t (node a v b) (+ m n 1) (+ 1 (ite (> h k) h k))))))
(assert (forall ((a Tree) (n Int) (h Int)) (=> (and (t a n h) (> h n)) false)))

(check-sat)
