; The cache protocol of sat/lia/token-counting with a read miss that forgets to demote the modified line.
; Refuted in four steps with two caches: one writes, the other reads, a modified line stands beside a shared one.
(set-logic HORN)
(set-info :status unsat)

(declare-fun mesi (Int Int Int Int) Bool)

(assert (forall ((n Int)) (=> (>= n 1) (mesi 0 0 0 n))))
(assert (forall ((m Int) (e Int) (s Int) (i Int)) (=> (and (mesi m e s i) (>= i 1)) (mesi m 0 (+ s e 1) (- i 1)))))
(assert (forall ((m Int) (e Int) (s Int) (i Int)) (=> (and (mesi m e s i) (>= e 1)) (mesi (+ m 1) (- e 1) s i))))
(assert (forall ((m Int) (e Int) (s Int) (i Int))
  (=> (and (mesi m e s i) (>= i 1)) (mesi 0 1 0 (+ i m e s (- 1))))))
(assert (forall ((m Int) (e Int) (s Int) (i Int)) (=> (and (mesi m e s i) (>= m 1) (>= s 1)) false)))

(check-sat)
