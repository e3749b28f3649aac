; f(n) = g(n - 1) + 1 and g(n) = f(n - 1) + 1, both 0 at 0: both are the identity.
; Hard a little: two summaries, r = n each, and neither is inductive without the other.
(set-logic HORN)
(set-info :status sat)

(declare-fun f (Int Int) Bool)
(declare-fun g (Int Int) Bool)

(assert (f 0 0))
(assert (g 0 0))
(assert (forall ((n Int) (r Int)) (=> (and (> n 0) (g (- n 1) r)) (f n (+ r 1)))))
(assert (forall ((n Int) (r Int)) (=> (and (> n 0) (f (- n 1) r)) (g n (+ r 1)))))
(assert (forall ((n Int) (r Int)) (=> (and (f n r) (not (= n r))) false)))

(check-sat)
