; Two words are swapped by three exclusive ors, again and again: their exclusive or never changes.
; Hard for arithmetic, immediate on bits.
(set-logic HORN)
(set-info :status sat)

(declare-fun s ((_ BitVec 32) (_ BitVec 32)) Bool)

(assert (s #x0000ffff #x12345678))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (a (_ BitVec 32)) (b (_ BitVec 32)) (c (_ BitVec 32)))
  (=> (and (s x y) (= a (bvxor x y)) (= b (bvxor a y)) (= c (bvxor a b))) (s c b))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (and (s x y) (not (= (bvxor x y) #x1234a987))) false)))

(check-sat)
