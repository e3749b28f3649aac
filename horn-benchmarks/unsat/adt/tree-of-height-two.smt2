; A tree of height 2 with three nodes exists: a derivation with two premises a step.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Tree 0)) (((leaf) (node (lft Tree) (rgt Tree)))))
(declare-fun t (Tree Int Int) Bool) ; tree size height

(assert (t leaf 0 0))
(assert (forall ((a Tree) (b Tree) (m Int) (n Int) (h Int) (k Int))
  (=> (and (t a m h) (t b n k)) (t (node a b) (+ m n 1) (+ 1 (ite (> h k) h k))))))
(assert (forall ((a Tree) (n Int)) (=> (and (t a n 2) (= n 3)) false)))

(check-sat)
