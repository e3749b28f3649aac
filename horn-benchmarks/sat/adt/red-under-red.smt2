; Trees whose red nodes have a black one on the left, and trees with a red node on the left of a red one.
; sat by an automaton with three states.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Tree 0)) (((leaf)
  (red (red-left Tree) (red-right Tree))
  (black (black-left Tree) (black-right Tree)))))
(declare-fun good (Tree) Bool)
(declare-fun bad (Tree) Bool)

(assert (good leaf))
(assert (forall ((x Tree) (y Tree)) (=> (and (good x) (good y)) (good (black x y)))))
(assert (forall ((x Tree) (y Tree) (z Tree))
  (=> (and (good x) (good y) (good z)) (good (red (black x y) z)))))
(assert (bad (red (red leaf leaf) leaf)))
(assert (forall ((x Tree) (y Tree)) (=> (bad x) (bad (red x y)))))
(assert (forall ((x Tree) (y Tree)) (=> (bad x) (bad (black y x)))))
(assert (forall ((x Tree)) (=> (and (good x) (bad x)) false)))

(check-sat)
