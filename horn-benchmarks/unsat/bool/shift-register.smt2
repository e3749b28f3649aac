; A shift register of five bits, fed by the exclusive or of two taps: from 10000 it runs into the pattern of all ones.
; Hard a little: thirteen steps, each determined.
(set-logic HORN)
(set-info :status unsat)

(declare-fun r (Bool Bool Bool Bool Bool) Bool)

(assert (r true false false false false))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool)) (=> (r a b c d e) (r (xor c e) a b c d))))
(assert (=> (r true true true true true) false))

(check-sat)
