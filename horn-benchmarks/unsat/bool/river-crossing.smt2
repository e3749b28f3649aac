; Wolf, goat, cabbage and the ferryman: the crossing exists, against the claim, and takes seven trips.
(set-logic HORN)
(set-info :status unsat)

(declare-fun bank (Bool Bool Bool Bool) Bool) ; ferryman wolf goat cabbage; true: far bank
(declare-fun trip (Bool Bool Bool Bool) Bool) ; as bank, before it is known that nobody is eaten

(assert (bank false false false false))
(assert (forall ((f Bool) (w Bool) (g Bool) (c Bool)) (=> (bank f w g c) (trip (not f) w g c))))
(assert (forall ((f Bool) (g Bool) (c Bool)) (=> (bank f f g c) (trip (not f) (not f) g c))))
(assert (forall ((f Bool) (w Bool) (c Bool)) (=> (bank f w f c) (trip (not f) w (not f) c))))
(assert (forall ((f Bool) (w Bool) (g Bool)) (=> (bank f w g f) (trip (not f) w g (not f)))))
(assert (forall ((f Bool) (w Bool) (g Bool) (c Bool))
  (=> (and (trip f w g c) (or (= g f) (and (distinct w g) (distinct c g)))) (bank f w g c))))
(assert (=> (bank true true true true) false))

(check-sat)
