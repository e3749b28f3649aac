; Two loops that each run n times, one from 1 up to n and one from 0 below n, add 2 in each step: both sums are the same.
; Hard: the sums wrap around, so they are linear in the counters modulo 2^32 only.
(set-logic HORN)
(set-info :status sat)

(declare-fun loops ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((n (_ BitVec 32))) (loops n #x00000001 #x00000000 #x00000000 #x00000000)))
; Both, the first one alone, and the second one alone.
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)) (j (_ BitVec 32)) (r (_ BitVec 32)))
  (=> (and (loops n i s j r) (bvsle i n) (bvsle #x00000000 (bvsub (bvsub n #x00000001) j)))
    (loops n (bvadd i #x00000001) (bvadd s #x00000002) (bvadd j #x00000001) (bvadd r #x00000002)))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)) (j (_ BitVec 32)) (r (_ BitVec 32)))
  (=> (and (loops n i s j r) (bvsle i n) (bvslt (bvsub (bvsub n #x00000001) j) #x00000000))
    (loops n (bvadd i #x00000001) (bvadd s #x00000002) j r))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)) (j (_ BitVec 32)) (r (_ BitVec 32)))
  (=> (and (loops n i s j r) (bvsgt i n) (bvsle #x00000000 (bvsub (bvsub n #x00000001) j)))
    (loops n i s (bvadd j #x00000001) (bvadd r #x00000002)))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (s (_ BitVec 32)) (j (_ BitVec 32)) (r (_ BitVec 32)))
  (=> (and (loops n i s j r) (bvsgt i n) (bvslt (bvsub (bvsub n #x00000001) j) #x00000000) (distinct s r))
    false)))
(check-sat)
