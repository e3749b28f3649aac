; An array of arrays: row i gets its own number at its first place; read back at once.
; Easy for the theory; a sort nested in a sort.
(set-logic HORN)
(set-info :status sat)

(declare-fun rows ((Array Int (Array Int Int)) Int) Bool)

(assert (forall ((m (Array Int (Array Int Int)))) (rows m 0)))
(assert (forall ((m (Array Int (Array Int Int))) (i Int))
  (=> (rows m i) (rows (store m (+ i 1) (store (select m (+ i 1)) 0 (+ i 1))) (+ i 1)))))
(assert (forall ((m (Array Int (Array Int Int))) (i Int))
  (=> (and (rows m i) (> i 0) (not (= (select (select m i) 0) i))) false)))

(check-sat)
