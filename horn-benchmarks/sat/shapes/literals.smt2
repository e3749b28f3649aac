; Shape: decimals with many places are exact: 0.1 + 0.2 is 0.3, and (_ bv5 8) is #x05.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Real (_ BitVec 8)) Bool)

(assert (p (+ 0.1 0.2) (_ bv5 8)))
(assert (forall ((x Real) (z (_ BitVec 8))) (=> (and (p x z) (or (not (= x 0.3)) (not (= z #x05)))) false)))

(check-sat)
