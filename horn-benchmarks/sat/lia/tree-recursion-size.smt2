; A procedure that recurs into two subtrees of smaller height and returns the number of nodes: not below the height.
; Hard a little: the heights of the two calls are independent and only the greater one bounds the result.
(set-logic HORN)
(set-info :status sat)

(declare-fun size (Int Int) Bool) ; height, nodes

(assert (size 0 0))
(assert (forall ((h1 Int) (h2 Int) (s1 Int) (s2 Int) (h Int))
  (=> (and (size h1 s1) (size h2 s2) (= h (+ 1 (ite (>= h1 h2) h1 h2)))) (size h (+ 1 s1 s2)))))
(assert (forall ((h Int) (s Int)) (=> (and (size h s) (< s h)) false)))

(check-sat)
