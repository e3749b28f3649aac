; An event-condition-action machine, the family on which the k-induction papers do best: an endless loop reads an input
; and steps a state variable, and the error needs a state beyond the last. States 1 to 4 are entered one by one and
; 4 returns to 1 (or resets on input 9); a timer counts the visits of state 1.
; Hard for interpolation, which enumerates input sequences; 1 <= s <= 4 is inductive and k-induction finds it at once.
(set-logic HORN)
(set-info :status sat)

(declare-fun run (Int Int) Bool) ; state timer

(assert (run 1 0))
(assert (forall ((s Int) (t Int) (in Int) (s1 Int) (t1 Int))
  (=> (and (run s t)
           (or (and (= in 1) (= s 1) (= s1 2) (= t1 (+ t 1)))
               (and (= in 2) (= s 2) (= s1 3) (= t1 t))
               (and (= in 3) (= s 3) (= s1 4) (= t1 t))
               (and (= in 4) (= s 4) (= s1 1) (= t1 t))
               (and (= in 9) (= s1 1) (= t1 0))))
      (run s1 t1))))
(assert (forall ((s Int) (t Int) (in Int))
  (=> (and (run s t) (= in 5) (> s 4)) false)))

(check-sat)
