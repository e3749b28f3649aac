; Two counters, of which the second moves once the first is at 100: the counterexample has depth 200.
; Hard a little: as long-1000, with two phases between which the bound that matters changes.
(set-logic HORN)
(set-info :status unsat)

(declare-fun count (Int Int) Bool)

(assert (count 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (count x y) (< x 100)) (count (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (count x y) (>= x 100)) (count x (+ y 1)))))
(assert (forall ((x Int)) (=> (count x 100) false)))

(check-sat)
