; Shape: implications nested on the right, some of their premises being constraints.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)
(declare-fun q (Int Int) Bool)

(assert (forall ((x Int)) (=> (> x 3) (=> (< x 6) (p x)))))
(assert (forall ((x Int) (y Int)) (=> (p x) (=> (p y) (=> (< x y) (q x y))))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (=> (not (and (= x 4) (= y 5))) false))))

(check-sat)
