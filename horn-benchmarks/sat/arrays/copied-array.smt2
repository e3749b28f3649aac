; One array is copied to another, place by place; then the two agree below the length.
; Hard: the invariant is a statement about all places, with a quantifier: for all k below i, a[k] = b[k].
(set-logic HORN)
(set-info :status sat)

(declare-fun copy (Int Int (Array Int Int) (Array Int Int)) Bool)

(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int))) (copy 0 n a b)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (copy i n a b) (< i n)) (copy (+ i 1) n a (store b i (select a i))))))
(assert (forall ((i Int) (n Int) (k Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (copy i n a b) (>= i n) (<= 0 k) (< k n) (not (= (select a k) (select b k)))) false)))

(check-sat)
