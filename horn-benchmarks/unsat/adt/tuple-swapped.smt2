; A pair of pairs is swapped outside and inside until it is the one asked for; that takes two steps.
; Easy; equations of tuples, one of which is a selector's value.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Pair 0)) (((pair (first Int) (second Int)))))
(declare-datatypes ((Square 0)) (((square (top Pair) (bottom Pair)))))
(declare-fun reached (Square) Bool)

(assert (reached (square (pair 1 2) (pair 3 4))))
(assert (forall ((s Square)) (=> (reached s) (reached (square (bottom s) (top s))))))
(assert (forall ((s Square) (p Pair))
  (=> (and (reached s) (= p (pair (second (top s)) (first (top s)))))
      (reached (square p (bottom s))))))
(assert (forall ((s Square)) (=> (and (reached s) (= (top s) (pair 3 4)) (= (bottom s) (pair 2 1))) false)))

(check-sat)
