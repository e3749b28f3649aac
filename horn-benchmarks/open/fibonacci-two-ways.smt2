; Fibonacci numbers by two recursive calls and by a loop with two variables are the same.
; sat because both determine fib(n). Hard because the values grow exponentially: no linear summary separates them.
(set-logic HORN)
(set-info :status sat)

(declare-fun fib (Int Int) Bool)
(declare-fun loop (Int Int Int) Bool) ; n fib(n) fib(n + 1)

(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (loop 0 0 1))
(assert (forall ((n Int) (a Int) (b Int)) (=> (loop n a b) (loop (+ n 1) b (+ a b)))))
(assert (forall ((n Int) (f Int) (a Int) (b Int)) (=> (and (fib n f) (loop n a b) (not (= f a))) false)))

(check-sat)
