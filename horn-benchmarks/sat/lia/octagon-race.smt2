; Two runners: the second may move only while it is behind, the first only while at most 5 ahead. They stay within 6.
; Hard because only differences are bounded: the invariant is the octagon 0 <= x - y <= 6.
(set-logic HORN)
(set-info :status sat)

(declare-fun pos (Int Int) Bool)

(assert (forall ((s Int)) (pos s s)))
(assert (forall ((x Int) (y Int)) (=> (and (pos x y) (<= (- x y) 5)) (pos (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (pos x y) (< y x)) (pos x (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (pos x y) (or (> (- x y) 6) (< (- x y) 0))) false)))

(check-sat)
