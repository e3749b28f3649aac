; Trees and forests, datatypes that refer to each other; the number of nodes is positive for a tree.
; Hard a little: two predicates over two mutually recursive sorts.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Tree 0) (Forest 0)) (((node (label Int) (kids Forest))) ((empty) (plus (first Tree) (rest Forest)))))
(declare-fun nodes (Tree Int) Bool)
(declare-fun total (Forest Int) Bool)

(assert (total empty 0))
(assert (forall ((t Tree) (f Forest) (m Int) (n Int)) (=> (and (nodes t m) (total f n)) (total (plus t f) (+ m n)))))
(assert (forall ((x Int) (f Forest) (n Int)) (=> (total f n) (nodes (node x f) (+ n 1)))))
(assert (forall ((t Tree) (n Int)) (=> (and (nodes t n) (<= n 0)) false)))

(check-sat)
