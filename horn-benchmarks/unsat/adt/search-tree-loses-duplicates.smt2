; Inserting into a search tree without duplicates need not add a node: a key that is there.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))

(declare-fun size (Tree Int) Bool)
(assert (size leaf 0))
(assert (forall ((l Tree) (k Int) (r Tree) (m Int) (n Int))
  (=> (and (size l m) (size r n)) (size (node l k r) (+ m n 1)))))

(declare-fun insert (Int Tree Tree) Bool)
(assert (forall ((x Int)) (insert x leaf (node leaf x leaf))))
(assert (forall ((x Int) (l Tree) (k Int) (r Tree) (t Tree))
  (=> (and (< x k) (insert x l t)) (insert x (node l k r) (node t k r)))))
(assert (forall ((l Tree) (k Int) (r Tree)) (insert k (node l k r) (node l k r))))
(assert (forall ((x Int) (l Tree) (k Int) (r Tree) (t Tree))
  (=> (and (> x k) (insert x r t)) (insert x (node l k r) (node l k t)))))

(assert (forall ((x Int) (s Tree) (t Tree) (m Int) (n Int))
  (=> (and (insert x s t) (size s m) (size t n) (not (= n (+ m 1)))) false)))

(check-sat)
