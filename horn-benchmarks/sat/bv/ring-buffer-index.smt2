; The index of a ring buffer of 16 places is masked after each step: it never leaves the buffer.
(set-logic HORN)
(set-info :status sat)

(declare-fun ring ((_ BitVec 32) (_ BitVec 32)) Bool) ; index, steps

(assert (ring #x00000000 #x00000000))
(assert (forall ((i (_ BitVec 32)) (n (_ BitVec 32)))
  (=> (ring i n) (ring (bvand (bvadd i #x00000001) #x0000000f) (bvadd n #x00000001)))))
(assert (forall ((i (_ BitVec 32)) (n (_ BitVec 32))) (=> (and (ring i n) (bvuge i #x00000010)) false)))

(check-sat)
