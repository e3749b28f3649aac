; for (i = s = 0; i < n; i++) s++; assert(s + n >= 0); with signed integers of 32 bits that wrap around.
; Hard because the sum overflows first where the loop has taken 2^30 steps. The steps go through four predicates.
(set-logic HORN)
(set-info :status unsat)

(declare-fun start ((_ BitVec 32)) Bool)
(declare-fun head ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(declare-fun body ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(declare-fun tail ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)

(assert (forall ((n (_ BitVec 32))) (=> (bvsle #x00000000 n) (start n))))
(assert (forall ((n (_ BitVec 32))) (=> (start n) (head n #x00000000 #x00000000))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)))
  (=> (and (head n i s) (bvslt i n)) (body n i s))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)))
  (=> (body n i s) (tail n i (bvadd s #x00000001)))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)) (j (_ BitVec 32)))
  (=> (and (tail n i s) (= i (bvadd j #xffffffff))) (head n j s))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)))
  (=> (and (head n i s) (bvsle n i) (bvslt (bvadd s n) #x00000000)) false)))

(check-sat)
