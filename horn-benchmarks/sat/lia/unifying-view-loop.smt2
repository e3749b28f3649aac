; A two-iteration loop in the manner of the example that "A Unifying View on SMT-Based Software Verification" (JAR 2018)
; runs through BMC, k-induction, predicate abstraction and Impact: x and y start at 0 and are increased together while
; x < 2; they must stay equal.
; Easy for every school, each by a different proof: exhaustive unrolling, 1-induction, the predicate x = y.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int Int) Bool) ; x y
(declare-fun body (Int Int) Bool)

(assert (head 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (< x 2)) (body (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (body x y) (= x y)) (head x y))))
(assert (forall ((x Int) (y Int)) (=> (and (body x y) (not (= x y))) false)))

(check-sat)
