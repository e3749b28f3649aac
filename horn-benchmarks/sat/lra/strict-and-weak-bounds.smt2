; A cycle of two updates that turns x < 1 into y <= 1 and back into x < 1: the boundary itself is never touched.
; Easy where strict bounds are exact; wrong where they are weakened to <= or approximated by a small number.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Real) Bool)
(declare-fun q (Real) Bool)

(assert (forall ((x Real)) (=> (< x 1.0) (p x))))
(assert (forall ((x Real) (y Real)) (=> (and (p x) (< x 1.0) (<= y x)) (q y))))
(assert (forall ((x Real) (y Real)) (=> (and (q y) (< x (+ (/ y 3.0) (/ 2.0 3.0)))) (p x))))
(assert (=> (p 1.0) false))
(assert (=> (q 1.0) false))

(check-sat)
