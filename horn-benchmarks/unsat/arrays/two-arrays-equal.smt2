; Two arrays filled from different ends become equal as a whole: extensional equality in a query.
(set-logic HORN)
(set-info :status unsat)

(declare-fun pair ((Array Int Int) (Array Int Int) Int) Bool)

(assert (pair ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 0) 0))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
  (=> (and (pair a b i) (< i 3)) (pair (store a i 1) (store b (- 2 i) 1) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (and (pair a b i) (= i 3) (= a b)) false)))

(check-sat)
