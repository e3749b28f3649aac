; A product is computed by additions. A model needs the equation r + i * b = a * b.
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int Int Int) Bool)
(assert (forall ((a Int) (b Int)) (=> (<= 0 a) (loop a b a 0))))
(assert (forall ((a Int) (b Int) (i Int) (r Int)) (=> (and (loop a b i r) (< 0 i)) (loop a b (- i 1) (+ r b)))))
(assert (forall ((a Int) (b Int) (i Int) (r Int)) (=> (and (loop a b i r) (<= i 0) (not (= r (* a b)))) false)))
(check-sat)
