; Two cells are swapped through a third variable, again and again; their sum stays what it was.
; Hard a little: two nested stores at indices that may be equal.
(set-logic HORN)
(set-info :status sat)

(declare-fun swap ((Array Int Int) Int Int Int) Bool) ; a i j sum

(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (swap a i j (+ (select a i) (select a j)))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (s Int) (t Int))
  (=> (and (swap a i j s) (= t (select a i))) (swap (store (store a i (select a j)) j t) i j s))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (s Int))
  (=> (and (swap a i j s) (not (= s (+ (select a i) (select a j))))) false)))

(check-sat)
