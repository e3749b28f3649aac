; x < x + y for positive y, says the claim: wrong when the addition of eight bits overflows.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p ((_ BitVec 8) (_ BitVec 8)) Bool)

(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (bvugt y #x00) (p x y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (p x y) (bvule (bvadd x y) x)) false)))

(check-sat)
