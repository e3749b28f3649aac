; A loop copies n cells from p on to the cells from q on. What the arrays have in common is said of
; cells that are equally far from the pointers.
(set-logic HORN)
(set-info :status sat)

(declare-fun loop (Int Int Int Int (Array Int Int) (Array Int Int)) Bool)

(assert (forall ((p Int) (q Int) (n Int) (a (Array Int Int)) (b (Array Int Int))) (loop p q 0 n a b)))
(assert (forall ((p Int) (q Int) (i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
    (=> (and (loop p q i n a b) (< i n))
        (loop p q (+ i 1) n a (store b (+ q i) (select a (+ p i)))))))
(assert (forall ((p Int) (q Int) (i Int) (j Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
    (=> (and (loop p q i n a b) (<= n i) (<= 0 j) (< j n) (not (= (select a (+ p j)) (select b (+ q j)))))
        false)))

(check-sat)
