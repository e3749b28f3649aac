; A loop counts in the cells from o on and copies n cells from p on to the cells from q on. What is to be
; shown is about the second and the third array; other solvers check it if one of them is read at the
; bound index itself.
(set-logic HORN)
(set-info :status sat)

(declare-fun loop (Int Int Int Int Int (Array Int Int) (Array Int Int) (Array Int Int)) Bool)

(assert (forall ((o Int) (p Int) (q Int) (n Int) (c (Array Int Int)) (a (Array Int Int)) (b (Array Int Int)))
    (loop o p q 0 n c a b)))
(assert (forall ((o Int) (p Int) (q Int) (i Int) (n Int) (c (Array Int Int)) (a (Array Int Int)) (b (Array Int Int)))
    (=> (and (loop o p q i n c a b) (< i n))
        (loop o p q (+ i 1) n (store c (+ o i) i) a (store b (+ q i) (select a (+ p i)))))))
(assert (forall ((o Int) (p Int) (q Int) (i Int) (j Int) (n Int)
                 (c (Array Int Int)) (a (Array Int Int)) (b (Array Int Int)))
    (=> (and (loop o p q i n c a b) (<= n i) (<= 0 j) (< j n)
             (not (and (= (select a (+ p j)) (select b (+ q j))) (= (select c (+ o j)) j))))
        false)))

(check-sat)
