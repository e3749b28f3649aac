; One counter goes up by ten where the other goes up by one, for up to n rounds; a third counts down.
; Hard for solvers that compute with bits: that z is ten times w stays true where both wrap around.
(set-logic HORN)
(set-info :status sat)

(declare-fun up ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(declare-fun down ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)

(assert (forall ((n (_ BitVec 32))) (=> (bvsge n #x00000000) (up #x0000000a #x00000000 #x00000000 n))))
(assert (forall ((x (_ BitVec 32)) (z (_ BitVec 32)) (w (_ BitVec 32)) (n (_ BitVec 32)))
  (=> (and (up x z w n) (bvsle w n)) (up x (bvadd z x) (bvadd w #x00000001) n))))
(assert (forall ((x (_ BitVec 32)) (z (_ BitVec 32)) (w (_ BitVec 32)) (n (_ BitVec 32)))
  (=> (and (up x z w n) (not (bvsle w n))) (down x z w))))
(assert (forall ((x (_ BitVec 32)) (z (_ BitVec 32)) (w (_ BitVec 32)))
  (=> (and (down x z w) (bvsgt x #x00000000)) (down (bvadd x #xffffffff) z w))))
(assert (forall ((x (_ BitVec 32)) (z (_ BitVec 32)) (w (_ BitVec 32)))
  (=> (and (down x z w) (not (bvsgt x #x00000000)) (bvslt x #x00000000)) false)))
(assert (forall ((x (_ BitVec 32)) (z (_ BitVec 32)) (w (_ BitVec 32)))
  (=> (and (down x z w) (not (= (bvsub z w) (bvmul #x00000009 w)))) false)))

(check-sat)
