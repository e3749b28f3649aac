; From a constant array of zeros, one cell can be raised to 4, against the claim.
(set-logic HORN)
(set-info :status unsat)

(declare-fun tab ((Array Int Int)) Bool)

(assert (tab ((as const (Array Int Int)) 0)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (tab a) (<= 0 i 3)) (tab (store a i (+ (select a i) 1))))))
(assert (forall ((a (Array Int Int))) (=> (and (tab a) (= (select a 2) 4)) false)))

(check-sat)
