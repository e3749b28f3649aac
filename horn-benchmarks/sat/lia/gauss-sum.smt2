; The sum of the first n numbers. A model needs the equation 2 * sum = i * (i - 1).
(set-logic HORN)
(set-info :status sat)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (<= 1 n) (loop n 0 1))))
(assert (forall ((n Int) (sum Int) (i Int)) (=> (and (loop n sum i) (<= i n)) (loop n (+ sum i) (+ i 1)))))
(assert (forall ((n Int) (sum Int) (i Int))
  (=> (and (loop n sum i) (< n i) (not (= (* 2 sum) (* n (+ n 1))))) false)))
(check-sat)
