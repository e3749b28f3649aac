; A binary counter of six Booleans reaches 63: the only counterexample has 63 steps.
; Hard because each step changes other bits and nothing can be skipped.
(set-logic HORN)
(set-info :status unsat)

(declare-fun c (Bool Bool Bool Bool Bool Bool) Bool)

(assert (c false false false false false false))
(assert (forall ((a Bool) (b Bool) (d Bool) (e Bool) (f Bool) (g Bool))
  (=> (c a b d e f g)
      (c (not a) (xor b a) (xor d (and a b)) (xor e (and a b d)) (xor f (and a b d e)) (xor g (and a b d e f))))))
(assert (=> (c true true true true true true) false))

(check-sat)
