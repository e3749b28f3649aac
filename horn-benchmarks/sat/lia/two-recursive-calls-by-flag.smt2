; Two calls under a flag: what flag false says of the results is nothing, what it says with flag true takes two levels.
; Hard: lemmas of different levels about the same flag have to be had together.
(set-logic HORN)
(set-info :status sat)

(declare-fun sum (Bool Int Int) Bool)

(assert (forall ((n Int) (r Int)) (=> (and (<= n 0) (= r 0)) (sum true n r))))
(assert (forall ((n Int) (r Int)) (sum false n r)))
(assert (forall ((f Bool) (g Bool) (n Int) (a Int) (b Int))
  (=> (and (sum f (- n 1) a) (sum g (- n 2) b) (> n 0)
           (= f (> n 0)) (= g (> n 1)))
      (sum true n (+ 1 a (ite g b 0))))))
(assert (forall ((n Int) (r Int)) (=> (and (sum true n r) (>= n 1) (< r 1)) false)))

(check-sat)
