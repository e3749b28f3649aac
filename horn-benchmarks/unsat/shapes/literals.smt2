; Shape: literals of all kinds: negative and large numbers, decimals, fractions, hexadecimal and binary bit-vectors.
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int Real (_ BitVec 8)) Bool)

(assert (p (- 170141183460469231731687303715884105728) (/ (- 1.0) 3.0) #xfF))
(assert (forall ((x Int) (y Real) (z (_ BitVec 8)))
  (=> (and (p x y z) (= x (- (* 2 85070591730234615865843651857942052864))) (= (* 3.0 y) (- 1.0)) (= z #b11111111)) false)))

(check-sat)
