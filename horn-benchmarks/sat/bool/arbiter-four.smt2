; A round-robin arbiter for four clients with a registered grant: at most one grant at a time, whatever is requested.
; Hard a little: the inputs are free in each step, 16 combinations.
(set-logic HORN)
(set-info :status sat)

(declare-fun arb (Bool Bool Bool Bool Bool Bool) Bool) ; pointer (2 bits), four grants

(assert (arb false false false false false false))
(assert (forall ((p Bool) (q Bool) (a Bool) (b Bool) (c Bool) (d Bool) (r Bool) (s Bool) (t Bool) (u Bool))
  (=> (arb p q a b c d)
      (arb (ite q (not p) p) (not q)
           (and r (not p) (not q))
           (and s (not p) q)
           (and t p (not q))
           (and u p q)))))
(assert (forall ((p Bool) (q Bool) (a Bool) (b Bool) (c Bool) (d Bool))
  (=> (and (arb p q a b c d) (or (and a b) (and a c) (and a d) (and b c) (and b d) (and c d))) false)))

(check-sat)
