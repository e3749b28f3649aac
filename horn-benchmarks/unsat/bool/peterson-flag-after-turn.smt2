; Peterson's algorithm with the two assignments in the wrong order: first the turn, then the flag. Both enter.
; Refuted in six steps; a well-known mistake.
(set-logic HORN)
(set-info :status unsat)

(declare-fun st (Bool Bool Bool Bool Bool Bool Bool) Bool)

(assert (st false false false false false false false))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool)) (=> (st false false a b f1 f2 t) (st false true a b f1 f2 true))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool)) (=> (st false true a b f1 f2 t) (st true false a b true f2 t))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool))
  (=> (and (st true false a b f1 f2 t) (or (not f2) (not t))) (st true true a b f1 f2 t))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool)) (=> (st a b false false f1 f2 t) (st a b false true f1 f2 false))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool)) (=> (st a b false true f1 f2 t) (st a b true false f1 true t))))
(assert (forall ((a Bool) (b Bool) (f1 Bool) (f2 Bool) (t Bool))
  (=> (and (st a b true false f1 f2 t) (or (not f1) t)) (st a b true true f1 f2 t))))
(assert (forall ((f1 Bool) (f2 Bool) (t Bool)) (=> (st true true true true f1 f2 t) false)))

(check-sat)
