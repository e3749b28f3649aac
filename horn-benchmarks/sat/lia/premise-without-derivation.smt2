; A query with two premises, of which the second is a predicate that no clause derives, and the first has infinitely many states.
; Hard for a search that follows the first premise only: it never ends. (Found by random testing.)
; Invariant: p1 is empty.
(set-logic HORN)
(set-info :status sat)

(declare-fun p1 (Int Int) Bool)
(declare-fun p2 (Int Int) Bool)

(assert (p2 2 1))
(assert (forall ((x Int) (y Int)) (=> (p2 x y) (p2 (+ x 2) (* 2 y)))))
(assert (forall ((x Int) (y Int)) (=> (p1 x y) (p1 (+ x 1) y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p2 x y) (p1 y z) (= x 4) (= y (- 2))) false)))

(check-sat)
