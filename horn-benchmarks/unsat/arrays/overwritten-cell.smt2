; Three writes in a row, of which the last may hit the first: the first value is then gone.
(set-logic HORN)
(set-info :status unsat)

(declare-fun w ((Array Int Int) Int Int) Bool)

(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (w (store (store (store a i 1) 5 2) j 3) i j)))
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (and (w a i j) (not (= i 5)) (not (= (select a i) 1))) false)))

(check-sat)
