; Shape: quoted symbols that differ in one blank, a dot or in capitals only.
(set-logic HORN)
(set-info :status sat)

(declare-fun |q r| (Int) Bool)
(declare-fun |q  r| (Int) Bool)
(declare-fun |q.r| (Int) Bool)
(declare-fun |Q r| (Int) Bool)

(assert (|q r| 0))
(assert (forall ((x Int)) (=> (|q r| x) (|q r| (+ x 1)))))
(assert (forall ((x Int)) (=> (or (|q  r| x) (|q.r| x) (|Q r| x)) false)))

(check-sat)
