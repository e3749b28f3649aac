; A counter of six bits without a bound becomes 0 again after 64 steps.
; Hard a little: the whole range has to be run through.
(set-logic HORN)
(set-info :status unsat)

(declare-fun c ((_ BitVec 6) Bool) Bool) ; counter, has moved

(assert (c #b000000 false))
(assert (forall ((x (_ BitVec 6)) (m Bool)) (=> (c x m) (c (bvadd x #b000001) true))))
(assert (=> (c #b000000 true) false))

(check-sat)
