; Fibonacci by two recursive calls; fib(n) >= n - 1.
; Hard because the summary of one call must be strong enough for the sum of two: besides fib >= n - 1 it needs
; fib >= 0, and fib >= 1 from n = 1 on.
(set-logic HORN)
(set-info :status sat)

(declare-fun fib (Int Int) Bool)

(assert (forall ((n Int)) (=> (<= n 0) (fib n 0))))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((n Int) (f Int)) (=> (and (fib n f) (< f (- n 1))) false)))

(check-sat)
