; The recursion of sat/lra/sum-of-two-calls with the false claim that the cost for length 8 is above 5: it is 4.
; Hard a little: a derivation of height 3 whose two calls may share one fact.
(set-logic HORN)
(set-info :status unsat)

(declare-fun cost (Real Real) Bool)

(assert (forall ((n Real)) (=> (and (>= n 0.0) (<= n 1.0)) (cost n 0.5))))
(assert (forall ((n Real) (a Real) (b Real))
  (=> (and (> n 1.0) (cost (/ n 2.0) a) (cost (/ n 2.0) b)) (cost n (+ a b)))))
(assert (forall ((c Real)) (=> (and (cost 8.0 c) (<= c 5.0)) false)))

(check-sat)
