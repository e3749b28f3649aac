; x starts at 0 and is increased by 2 without end; it never is 10^9 + 1.
; Hard because no interval helps: the invariant is x mod 2 = 0, which interpolation over the rationals cannot express.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int) Bool)

(assert (head 0))
(assert (forall ((x Int)) (=> (head x) (head (+ x 2)))))
(assert (=> (head 1000000001) false))

(check-sat)
