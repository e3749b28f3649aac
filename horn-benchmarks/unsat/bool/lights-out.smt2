; Six lamps in a row, neighbours switched together: from the two outer lamps on, all off is reached with five switches.
(set-logic HORN)
(set-info :status unsat)

(declare-fun lamps (Bool Bool Bool Bool Bool Bool) Bool)

(assert (lamps true false false false false true))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool) (f Bool)) (=> (lamps a b c d e f) (lamps (not a) (not b) c d e f))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool) (f Bool)) (=> (lamps a b c d e f) (lamps a (not b) (not c) d e f))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool) (f Bool)) (=> (lamps a b c d e f) (lamps a b (not c) (not d) e f))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool) (f Bool)) (=> (lamps a b c d e f) (lamps a b c (not d) (not e) f))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool) (f Bool)) (=> (lamps a b c d e f) (lamps a b c d (not e) (not f)))))
(assert (=> (lamps false false false false false false) false))

(check-sat)
