; The number of moves for the towers of Hanoi, h(n) = 2 h(n - 1) + 1 by two calls; h(n) >= n.
; Hard because the calls are made for the same argument and the sum of two summaries must give the bound back.
(set-logic HORN)
(set-info :status sat)

(declare-fun hanoi (Int Int) Bool)

(assert (hanoi 0 0))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (> n 0) (hanoi (- n 1) a) (hanoi (- n 1) b)) (hanoi n (+ a b 1)))))
(assert (forall ((n Int) (h Int)) (=> (and (hanoi n h) (< h n)) false)))

(check-sat)
