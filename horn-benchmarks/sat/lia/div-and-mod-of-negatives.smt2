; The definition of SMT-LIB for every combination of signs: m = n * (m div n) + (m mod n) with 0 <= m mod n < |n|.
; Easy, but a reader that truncates towards zero, as C does, answers unsat.
(set-logic HORN)
(set-info :status sat)

(declare-fun value (Int Int) Bool) ; which, value

(assert (value 1 (div 7 2)))
(assert (value 2 (div (- 7) 2)))
(assert (value 3 (div 7 (- 2))))
(assert (value 4 (div (- 7) (- 2))))
(assert (value 5 (mod 7 2)))
(assert (value 6 (mod (- 7) 2)))
(assert (value 7 (mod 7 (- 2))))
(assert (value 8 (mod (- 7) (- 2))))
(assert (forall ((k Int) (v Int))
  (=> (value k v) (or (and (= k 1) (= v 3))
                      (and (= k 2) (= v (- 4)))
                      (and (= k 3) (= v (- 3)))
                      (and (= k 4) (= v 4))
                      (and (>= k 5) (= v 1))))))

(check-sat)
