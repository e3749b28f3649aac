; A register with one bit set is rotated by one place in each step: it never becomes zero and never holds 3.
; Hard a little: eight reachable values, each a power of two.
(set-logic HORN)
(set-info :status sat)

(declare-fun r ((_ BitVec 8)) Bool)

(assert (r #x01))
(assert (forall ((x (_ BitVec 8))) (=> (r x) (r (bvor (bvshl x #x01) (bvlshr x #x07))))))
(assert (=> (r #x00) false))
(assert (=> (r #x03) false))

(check-sat)
