; A gas burner leaks for at most one second at a time and then stays tight for at least thirty: within any run the leak time
; is at most a twentieth of the total time once a minute has passed, relaxed here to 20 * leak <= total + 60.
; Hard because the invariant weighs two accumulated clocks with coefficients that no single step shows.
(set-logic HORN)
(set-info :status sat)

(declare-fun burner (Bool Real Real Real) Bool) ; leaking, clock, leak time, total

(assert (burner true 0.0 0.0 0.0))
(assert (forall ((c Real) (l Real) (t Real) (d Real))
  (=> (and (burner true c l t) (>= d 0.0) (<= (+ c d) 1.0)) (burner true (+ c d) (+ l d) (+ t d)))))
(assert (forall ((c Real) (l Real) (t Real)) (=> (burner true c l t) (burner false 0.0 l t))))
(assert (forall ((c Real) (l Real) (t Real) (d Real))
  (=> (and (burner false c l t) (>= d 0.0)) (burner false (+ c d) l (+ t d)))))
(assert (forall ((c Real) (l Real) (t Real)) (=> (and (burner false c l t) (>= c 30.0)) (burner true 0.0 l t))))
(assert (forall ((k Bool) (c Real) (l Real) (t Real)) (=> (and (burner k c l t) (> (* 20.0 l) (+ t 60.0))) false)))

(check-sat)
