; The absolute value of the least signed number is negative: -(-128) = -128 in eight bits.
; Found only by the one value that behaves so.
(set-logic HORN)
(set-info :status unsat)

(declare-fun a ((_ BitVec 8)) Bool)

(assert (forall ((x (_ BitVec 8))) (a (ite (bvslt x #x00) (bvneg x) x))))
(assert (forall ((x (_ BitVec 8))) (=> (and (a x) (bvslt x #x00)) false)))

(check-sat)
