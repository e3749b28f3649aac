; Two counters of 32 bits share a budget: what one takes, the other has not. The invariant is a sum
; that does not overflow.
(set-logic HORN)
(set-info :status sat)

(declare-fun loop ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)

(assert (forall ((n (_ BitVec 32))) (=> (bvsle #x00000000 n) (loop #x00000000 n n))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (n (_ BitVec 32)))
    (=> (and (loop x y n) (bvslt #x00000000 y)) (loop (bvadd x #x00000001) (bvsub y #x00000001) n))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (n (_ BitVec 32)))
    (=> (and (loop x y n) (bvsle y #x00000000) (not (= x n))) false)))

(check-sat)
