; Shape: integer literals where a Real is expected, as in logics without Int (strict SMT-LIB wants 1.0, many front ends
; write 1), and unary minus before them.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Real Real) Bool)

(assert (p 0 1))
(assert (forall ((x Real) (y Real)) (=> (p x y) (p (+ x (/ 1 2)) (- y 1)))))
(assert (forall ((x Real) (y Real)) (=> (and (p x y) (not (= (+ (* 2 x) y) 1))) false)))

(check-sat)
