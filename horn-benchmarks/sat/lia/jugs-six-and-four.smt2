; Two jugs of 6 and 4 litres, filled, emptied and poured into each other: 3 litres can never be measured.
; Hard because both amounts stay even, a modular invariant under min/max updates; or else 35 states are enumerated.
(set-logic HORN)
(set-info :status sat)

(declare-fun jugs (Int Int) Bool)

(assert (jugs 0 0))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs 6 b))))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs a 4))))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs 0 b))))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs a 0))))
(assert (forall ((a Int) (b Int) (p Int))
  (=> (and (jugs a b) (= p (ite (<= a (- 4 b)) a (- 4 b)))) (jugs (- a p) (+ b p)))))
(assert (forall ((a Int) (b Int) (p Int))
  (=> (and (jugs a b) (= p (ite (<= b (- 6 a)) b (- 6 a)))) (jugs (+ a p) (- b p)))))
(assert (forall ((b Int)) (=> (jugs 3 b) false)))
(assert (forall ((a Int)) (=> (jugs a 3) false)))

(check-sat)
