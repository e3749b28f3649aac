; A 32-bit number starts odd and moves by even steps that wrap around: it is never zero.
; Hard: no bound and no value says it; one bit does (the lowest one stays set), which bounds on the whole number cannot express.
(set-logic HORN)
(set-info :status sat)

(declare-fun p ((_ BitVec 32)) Bool)

(assert (p #x00000001))
(assert (forall ((y (_ BitVec 32)) (n (_ BitVec 32)))
  (=> (p y) (p (bvadd y (bvmul #x00000002 n))))))
(assert (forall ((y (_ BitVec 32)))
  (=> (and (p y) (= y #x00000000)) false)))

(check-sat)
