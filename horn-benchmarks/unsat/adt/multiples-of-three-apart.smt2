; Multiples of three that are six apart, wrongly denied.
; unsat: zero and six.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun multiple (Nat) Bool)

(assert (multiple zero))
(assert (forall ((x Nat)) (=> (multiple x) (multiple (succ (succ (succ x)))))))
(assert (forall ((x Nat))
  (=> (and (multiple x) (multiple (succ (succ (succ (succ (succ (succ x)))))))) false)))

(check-sat)
