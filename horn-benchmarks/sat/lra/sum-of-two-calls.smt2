; Measuring both halves of an interval by recursion, down to length 1, costs at least half the length in total.
; Hard a little: recursion over the reals with two calls and no termination argument needed.
(set-logic HORN)
(set-info :status sat)

(declare-fun cost (Real Real) Bool) ; length, cost

(assert (forall ((n Real)) (=> (and (>= n 0.0) (<= n 1.0)) (cost n 0.5))))
(assert (forall ((n Real) (a Real) (b Real))
  (=> (and (> n 1.0) (cost (/ n 2.0) a) (cost (/ n 2.0) b)) (cost n (+ a b)))))
(assert (forall ((n Real) (c Real)) (=> (and (cost n c) (< c (/ n 2.0))) false)))

(check-sat)
