; Shape: variables that occur in the constraint alone, and in the head alone: any value will do.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int Int) Bool)

(assert (forall ((x Int) (y Int)) (=> (= x (* 3 y)) (p x 0))))
(assert (forall ((x Int) (any Int) (y Int)) (=> (and (p x y) (= (mod any 5) 4)) (p x any))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (mod x 3) 1)) false)))

(check-sat)
