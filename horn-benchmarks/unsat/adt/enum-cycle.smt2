; An enumeration steps through its values in a circle and comes back to the first one.
(set-logic HORN)
(set-info :status unsat)

(declare-datatype Day ((mon) (tue) (wed) (thu) (fri)))
(declare-fun day (Day Int) Bool)

(assert (day mon 0))
(assert (forall ((n Int)) (=> (day mon n) (day tue (+ n 1)))))
(assert (forall ((n Int)) (=> (day tue n) (day wed (+ n 1)))))
(assert (forall ((n Int)) (=> (day wed n) (day thu (+ n 1)))))
(assert (forall ((n Int)) (=> (day thu n) (day fri (+ n 1)))))
(assert (forall ((n Int)) (=> (day fri n) (day mon (+ n 1)))))
(assert (forall ((n Int)) (=> (and (day mon n) (> n 0)) false)))

(check-sat)
