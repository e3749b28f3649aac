; The false claim that five discs need another number of moves than 31.
; Hard a little: as a tree 63 nodes, shared only 6.
(set-logic HORN)
(set-info :status unsat)

(declare-fun hanoi (Int Int) Bool)

(assert (hanoi 0 0))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 0) (hanoi (- n 1) a) (hanoi (- n 1) b)) (hanoi n (+ a b 1)))))
(assert (=> (hanoi 5 31) false))

(check-sat)
