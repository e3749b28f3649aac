; Amounts that can be paid with coins of 6, 9 and 20: 44 = 20 + 4 * 6 is one of them, against the claim.
; Hard a little: many combinations that pass 44 and few that meet it.
(set-logic HORN)
(set-info :status unsat)

(declare-fun pay (Int) Bool)

(assert (pay 0))
(assert (forall ((x Int)) (=> (pay x) (pay (+ x 6)))))
(assert (forall ((x Int)) (=> (pay x) (pay (+ x 9)))))
(assert (forall ((x Int)) (=> (pay x) (pay (+ x 20)))))
(assert (=> (pay 44) false))

(check-sat)
