; One array is copied to another up to, but not with, the last place; that place is compared as well.
; Hard a little: what is known of each place by itself does not tell that the arrays differ there, nor that they agree.
(set-logic HORN)
(set-info :status unsat)

(declare-fun copy (Int Int (Array Int Int) (Array Int Int)) Bool)

(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int))) (copy 0 n a b)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (copy i n a b) (< i n)) (copy (+ i 1) n a (store b i (select a i))))))
(assert (forall ((i Int) (n Int) (k Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (copy i n a b) (>= i n) (> n 2) (<= 0 k) (<= k n) (not (= (select a k) (select b k)))) false)))

(check-sat)
