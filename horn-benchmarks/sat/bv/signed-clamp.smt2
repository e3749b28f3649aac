; A signed sum is clamped to -100 .. 100 after each addition of a value between -10 and 10: the clamp holds and no overflow
; of eight bits occurs on the way.
(set-logic HORN)
(set-info :status sat)

(declare-fun acc ((_ BitVec 8)) Bool)

(assert (acc #x00))
(assert (forall ((x (_ BitVec 8)) (d (_ BitVec 8)) (y (_ BitVec 8)))
  (=> (and (acc x) (bvsle (bvneg #x0a) d) (bvsle d #x0a) (= y (bvadd x d)))
      (acc (ite (bvsgt y #x64) #x64 (ite (bvslt y (bvneg #x64)) (bvneg #x64) y))))))
(assert (forall ((x (_ BitVec 8))) (=> (and (acc x) (or (bvsgt x #x64) (bvslt x (bvneg #x64)))) false)))

(check-sat)
