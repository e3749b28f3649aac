; Two variables are swapped again and again; the initially smaller one is never the sum of both.
; Easy with the invariant {x, y} = {1, 5}: two disjuncts, which an interval cannot separate from x = y.
(set-logic HORN)
(set-info :status sat)

(declare-fun swap (Int Int) Bool)

(assert (swap 1 5))
(assert (forall ((x Int) (y Int)) (=> (swap x y) (swap y x))))
(assert (forall ((x Int)) (=> (swap x x) false)))
(assert (forall ((x Int) (y Int)) (=> (and (swap x y) (not (= (+ x y) 6))) false)))

(check-sat)
