; A stack in an array with a top index: four pushes overwrite the guard cell at index 3, for which no check was made.
(set-logic HORN)
(set-info :status unsat)

(declare-fun stack ((Array Int Int) Int) Bool)

(assert (forall ((a (Array Int Int))) (=> (= (select a 3) 99) (stack a 0))))
(assert (forall ((a (Array Int Int)) (top Int) (x Int)) (=> (stack a top) (stack (store a top x) (+ top 1)))))
(assert (forall ((a (Array Int Int)) (top Int)) (=> (and (stack a top) (> top 0)) (stack a (- top 1)))))
(assert (forall ((a (Array Int Int)) (top Int)) (=> (stack a top) (= (select a 3) 99))))

(check-sat)
