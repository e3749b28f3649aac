; The false claim fib(9) /= 34.
; Hard because the derivation as a tree has 109 nodes, as a directed graph only ten: facts must be shared.
(set-logic HORN)
(set-info :status unsat)

(declare-fun fib (Int Int) Bool)

(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (=> (fib 9 34) false))

(check-sat)
