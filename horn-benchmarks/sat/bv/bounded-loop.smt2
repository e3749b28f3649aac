; A loop of a 16-bit counter with an unsigned bound ends exactly at the bound.
; Hard a little: i <= 1000 is inductive only because the addition cannot wrap below the bound.
(set-logic HORN)
(set-info :status sat)

(declare-fun loop ((_ BitVec 16)) Bool)

(assert (loop #x0000))
(assert (forall ((i (_ BitVec 16))) (=> (and (loop i) (bvult i #x03e8)) (loop (bvadd i #x0001)))))
(assert (forall ((i (_ BitVec 16))) (=> (and (loop i) (bvugt i #x03e8)) false)))

(check-sat)
