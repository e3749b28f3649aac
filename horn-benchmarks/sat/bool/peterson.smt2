; Peterson's mutual exclusion for two processes: flags and turn are set in separate steps. Both critical: never.
; Hard a little: all in Booleans, and the proof must relate both program counters, both flags and the turn.
(set-logic HORN)
(set-info :status sat)

(declare-fun st (Bool Bool Bool Bool Bool Bool Bool) Bool) ; pc1 (2 bits) pc2 (2 bits) flag1 flag2 turn2
; pc: ff idle, ft flag set, tf waiting, tt critical

(assert (st false false false false false false false))
(assert (forall ((a Bool) (b Bool) (f2 Bool) (t Bool)) (=> (st false false a b false f2 t) (st false true a b true f2 t))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool)) (=> (st false true a b f1 f2 t) (st true false a b f1 f2 true))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool))
  (=> (and (st true false a b f1 f2 t) (or (not f2) (not t))) (st true true a b f1 f2 t))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool)) (=> (st true true a b f1 f2 t) (st false false a b false f2 t))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (t Bool)) (=> (st a b false false f1 false t) (st a b false true f1 true t))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool)) (=> (st a b false true f1 f2 t) (st a b true false f1 f2 false))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool))
  (=> (and (st a b true false f1 f2 t) (or (not f1) t)) (st a b true true f1 f2 t))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool)) (=> (st a b true true f1 f2 t) (st a b false false f1 false t))))
(assert (forall ((f1 Bool) (f2 Bool) (t Bool)) (=> (st true true true true f1 f2 t) false)))

(check-sat)
