; x goes up by 2 without end, but from 40 on also by 1 on a multiple of 5: then it can be odd, and 51 is reached.
; Hard a little: the way out of the even numbers opens late.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head (Int) Bool)

(assert (head 0))
(assert (forall ((x Int)) (=> (head x) (head (+ x 2)))))
(assert (forall ((x Int)) (=> (and (head x) (>= x 40) (= (mod x 5) 0)) (head (+ x 1)))))
(assert (=> (head 51) false))

(check-sat)
