; Two jugs of 5 and 3 litres: four litres can be measured, in six steps.
; Hard a little: a puzzle, six moves out of six kinds each, most of which undo another.
(set-logic HORN)
(set-info :status unsat)

(declare-fun jugs (Int Int) Bool)

(assert (jugs 0 0))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs 5 b))))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs a 3))))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs 0 b))))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs a 0))))
(assert (forall ((a Int) (b Int) (p Int))
  (=> (and (jugs a b) (= p (ite (<= a (- 3 b)) a (- 3 b)))) (jugs (- a p) (+ b p)))))
(assert (forall ((a Int) (b Int) (p Int))
  (=> (and (jugs a b) (= p (ite (<= b (- 5 a)) b (- 5 a)))) (jugs (+ a p) (- b p)))))
(assert (forall ((b Int)) (=> (jugs 4 b) false)))

(check-sat)
