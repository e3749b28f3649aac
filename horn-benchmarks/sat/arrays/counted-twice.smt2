; Four unknown cells from p on and a zero behind them: a word that ends at its first zero. It has a letter or
; more. Two loops go through the word and count how often the letter 7 is in it; the counts are equal. The
; loops end after as many steps as the facts say, and no short formula says how the counts are related.
(set-logic HORN)
(set-info :status sat)

(declare-fun first (Int Int Int (Array Int Int)) Bool)
(declare-fun second (Int Int Int Int (Array Int Int)) Bool)

(assert (forall ((p Int) (u Int) (v Int) (w Int) (x Int) (a (Array Int Int)))
    (=> (not (= u 0))
        (first p 0 0 (store (store (store (store (store a p u) (+ p 1) v) (+ p 2) w) (+ p 3) x) (+ p 4) 0)))))
(assert (forall ((p Int) (i Int) (c Int) (a (Array Int Int)))
    (=> (and (first p i c a) (not (= (select a (+ p i)) 0)))
        (first p (+ i 1) (+ c (ite (= (select a (+ p i)) 7) 1 0)) a))))
(assert (forall ((p Int) (i Int) (c Int) (a (Array Int Int)))
    (=> (and (first p i c a) (= (select a (+ p i)) 0)) (second p 0 c 0 a))))
(assert (forall ((p Int) (i Int) (c Int) (d Int) (a (Array Int Int)))
    (=> (and (second p i c d a) (not (= (select a (+ p i)) 0)))
        (second p (+ i 1) c (+ d (ite (= (select a (+ p i)) 7) 1 0)) a))))
(assert (forall ((p Int) (i Int) (c Int) (d Int) (a (Array Int Int)))
    (=> (and (second p i c d a) (= (select a (+ p i)) 0) (not (= c d))) false)))

(check-sat)
