; n(d + 1, x + y) from n(d, x) and n(d, y): 2^10 at depth 10, against the claim.
; Hard because the derivation tree has 2,047 nodes and shared 11; an engine that unfolds trees never ends.
(set-logic HORN)
(set-info :status unsat)

(declare-fun n (Int Int) Bool)

(assert (n 0 1))
(assert (forall ((d Int) (x Int) (y Int)) (=> (and (n d x) (n d y)) (n (+ d 1) (+ x y)))))
(assert (=> (n 10 1024) false))

(check-sat)
