; A fact whose head is false, beside a system that is otherwise harmless: refuted by one clause without premises.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)

(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (=> true false))

(check-sat)
