; The event machine (see sat/lia/k-induction-event-machine) with one more transition, which is open only after the
; cycle has run three times: then state 5 is entered and the error follows.
; Hard for bounded methods: the shortest way to the error has 14 steps, through one input sequence.
(set-logic HORN)
(set-info :status unsat)

(declare-fun run (Int Int) Bool)

(assert (run 1 0))
(assert (forall ((s Int) (t Int) (in Int) (s1 Int) (t1 Int))
  (=> (and (run s t)
           (or (and (= in 1) (= s 1) (= s1 2) (= t1 (+ t 1)))
               (and (= in 2) (= s 2) (= s1 3) (= t1 t))
               (and (= in 3) (= s 3) (= s1 4) (= t1 t))
               (and (= in 4) (= s 4) (= s1 1) (= t1 t))
               (and (= in 5) (= s 4) (>= t 3) (= s1 5) (= t1 t))
               (and (= in 9) (= s1 1) (= t1 0))))
      (run s1 t1))))
(assert (forall ((s Int) (t Int) (in Int)) (=> (and (run s t) (= in 5) (> s 4)) false)))

(check-sat)
