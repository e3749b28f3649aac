; Trees of two kinds whose nodes have trees of the other kind: mirrored twice, a tree is itself.
; sat. Hard because the invariant is a function of two kinds of trees at once.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((A 0) (B 0))
  (((leaf-a) (node-a (left-a B) (right-a B)))
   ((leaf-b) (node-b (left-b A) (right-b A)))))
(declare-fun mirror-a (A A) Bool)
(declare-fun mirror-b (B B) Bool)

(assert (mirror-a leaf-a leaf-a))
(assert (mirror-b leaf-b leaf-b))
(assert (forall ((x B) (y B) (u B) (v B))
  (=> (and (mirror-b x u) (mirror-b y v)) (mirror-a (node-a x y) (node-a v u)))))
(assert (forall ((x A) (y A) (u A) (v A))
  (=> (and (mirror-a x u) (mirror-a y v)) (mirror-b (node-b x y) (node-b v u)))))
(assert (forall ((x A) (y A) (z A))
  (=> (and (mirror-a x y) (mirror-a y z) (not (= x z))) false)))

(check-sat)
