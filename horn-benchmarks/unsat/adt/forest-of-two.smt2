; Trees and forests, mutually recursive: a tree with two nodes exists.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Tree 0) (Forest 0)) (((node (label Int) (kids Forest))) ((empty) (plus (first Tree) (rest Forest)))))
(declare-fun nodes (Tree Int) Bool)
(declare-fun total (Forest Int) Bool)

(assert (total empty 0))
(assert (forall ((t Tree) (f Forest) (m Int) (n Int)) (=> (and (nodes t m) (total f n)) (total (plus t f) (+ m n)))))
(assert (forall ((x Int) (f Forest) (n Int)) (=> (total f n) (nodes (node x f) (+ n 1)))))
(assert (forall ((t Tree)) (=> (nodes t 2) false)))

(check-sat)
