; The query asks about a predicate that no fact can reach: its only clause needs itself.
; Easy for a look at the graph; endless for an engine that unrolls it.
(set-logic HORN)
(set-info :status sat)

(declare-fun ghost (Int) Bool)
(declare-fun real (Int) Bool)

(assert (real 0))
(assert (forall ((x Int)) (=> (real x) (real (+ x 1)))))
(assert (forall ((x Int)) (=> (ghost x) (ghost (- x 1)))))
(assert (forall ((x Int)) (=> (and (ghost x) (real x)) false)))

(check-sat)
