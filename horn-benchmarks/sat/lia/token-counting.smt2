; A cache coherence protocol (MESI) with any number of caches, by counting: m modified, e exclusive, s shared, i invalid.
; Two modified caches, or a modified one beside a shared one, never occur.
; Hard because the number of caches is a parameter; the invariant combines m + e <= 1 with (m + e = 0 \/ s = 0).
(set-logic HORN)
(set-info :status sat)

(declare-fun mesi (Int Int Int Int) Bool) ; m e s i

(assert (forall ((n Int)) (=> (>= n 1) (mesi 0 0 0 n))))
(assert (forall ((m Int) (e Int) (s Int) (i Int)) ; read miss
  (=> (and (mesi m e s i) (>= i 1)) (mesi 0 0 (+ s m e 1) (- i 1)))))
(assert (forall ((m Int) (e Int) (s Int) (i Int)) ; write of an exclusive line
  (=> (and (mesi m e s i) (>= e 1)) (mesi (+ m 1) (- e 1) s i))))
(assert (forall ((m Int) (e Int) (s Int) (i Int)) ; write of a shared line invalidates the others
  (=> (and (mesi m e s i) (>= s 1)) (mesi 0 1 0 (+ i m e s (- 1))))))
(assert (forall ((m Int) (e Int) (s Int) (i Int)) ; write miss
  (=> (and (mesi m e s i) (>= i 1)) (mesi 0 1 0 (+ i m e s (- 1))))))
(assert (forall ((m Int) (e Int) (s Int) (i Int))
  (=> (and (mesi m e s i) (or (>= m 2) (and (>= m 1) (>= s 1)))) false)))

(check-sat)
