; half(n) = 1 + half(n - 2); then half(n) + half(n) differs from n by at most one.
; Hard because the relation 2r <= n <= 2r + 1 has a coefficient, and the query makes two calls of its own.
; Invariant: n >= 0 and r = n div 2.
(set-logic HORN)
(set-info :status sat)

(declare-fun half (Int Int) Bool)

(assert (forall ((n Int)) (=> (and (<= 0 n) (< n 2)) (half n 0))))
(assert (forall ((n Int) (r Int)) (=> (and (>= n 2) (half (- n 2) r)) (half n (+ r 1)))))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (half n a) (half n b) (or (> (+ a b) n) (< (+ a b 1) n))) false)))

(check-sat)
