; A procedure that toggles its argument; called twice through one clause it is the identity, against the claim.
(set-logic HORN)
(set-info :status unsat)

(declare-fun toggle (Bool Bool) Bool)
(declare-fun twice (Bool Bool) Bool)

(assert (forall ((x Bool)) (toggle x (not x))))
(assert (forall ((x Bool) (y Bool) (z Bool)) (=> (and (toggle x y) (toggle y z)) (twice x z))))
(assert (forall ((x Bool)) (=> (twice x x) false)))

(check-sat)
