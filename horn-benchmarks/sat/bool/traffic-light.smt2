; A crossing with two lights that a controller switches, each through three colours in two bits: not both green.
(set-logic HORN)
(set-info :status sat)

(declare-fun lights (Bool Bool Bool Bool) Bool) ; each: ff red, ft yellow, tt green

(assert (lights false false true true))
(assert (forall ((a Bool) (b Bool)) (=> (lights a b true true) (lights a b false true))))
(assert (forall ((a Bool) (b Bool)) (=> (lights a b false true) (lights a b false false))))
(assert (=> (lights false false false false) (lights true true false false)))
(assert (forall ((a Bool) (b Bool)) (=> (lights true true a b) (lights false true a b))))
(assert (forall ((a Bool) (b Bool)) (=> (lights false true a b) (lights false false a b))))
(assert (=> (lights false false false false) (lights false false true true)))
(assert (=> (lights true true true true) false))

(check-sat)
