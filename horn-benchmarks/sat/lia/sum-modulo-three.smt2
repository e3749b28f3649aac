; x is increased by 6 or by 9, by chance; it is never 1 modulo 3.
; Hard because the invariant is a divisibility by 3 while the steps suggest 6 and 9.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int) Bool)

(assert (head 0))
(assert (forall ((x Int) (d Int)) (=> (and (head x) (or (= d 6) (= d 9))) (head (+ x d)))))
(assert (forall ((x Int)) (=> (and (head x) (= (mod x 3) 1)) false)))

(check-sat)
