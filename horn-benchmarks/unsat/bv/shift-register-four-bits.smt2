; A shift register of four bits with feedback runs through all values but 0; 9 is one of them, against the claim.
(set-logic HORN)
(set-info :status unsat)

(declare-fun r ((_ BitVec 4)) Bool)

(assert (r #b0001))
(assert (forall ((x (_ BitVec 4)))
  (=> (r x) (r (concat (bvxor ((_ extract 0 0) x) ((_ extract 3 3) x)) ((_ extract 3 1) x))))))
(assert (=> (r #b1001) false))

(check-sat)
