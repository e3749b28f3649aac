; The false claim 6 * 7 /= 42 for multiplication by repeated addition.
; Hard a little: seven nested calls, and the values of all of them.
(set-logic HORN)
(set-info :status unsat)

(declare-fun mult (Int Int Int) Bool)

(assert (forall ((a Int)) (mult a 0 0)))
(assert (forall ((a Int) (b Int) (p Int)) (=> (and (> b 0) (mult a (- b 1) p)) (mult a b (+ p a)))))
(assert (forall ((p Int)) (=> (and (mult 6 7 p) (= p 42)) false)))

(check-sat)
