; Facts and a rule, and nothing to refute: satisfied by making everything true.
; Easy, and a trap for engines that wait for a query to start from.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)

(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))

(check-sat)
