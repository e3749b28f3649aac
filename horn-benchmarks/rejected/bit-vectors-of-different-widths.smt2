; Addition of bit-vectors of 8 and of 16 bits.
; error: 5:76 sort
(set-logic HORN)
(declare-fun p ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 16))) (=> (p x) (p (bvadd x y)))))
(check-sat)
