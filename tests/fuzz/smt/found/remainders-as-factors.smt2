; Remainders by numerals as factors of products: bounds have sums of quotients for them, which the
; checker of proofs did not see.
(set-logic ALL)
(declare-const i0 Int)
(declare-const i1 Int)
(declare-const i2 Int)
(check-sat-assuming ((< 1 i2) (= (* (mod i1 4) i2) 1)))
(check-sat-assuming ((= (* (mod i0 2) (div i1 (- 2))) 1) (= i1 0)))
(check-sat-assuming ((< (* i1 (mod i1 2)) 0) (<= 0.0 (to_real i1))))
(check-sat-assuming ((= i1 1) (<= (* (mod i0 3) i1) (- 1))))
(check-sat-assuming ((not (= (* (mod i1 2) (div i0 5)) 0)) (= i0 0)))
; Integers as factors of real products, and differences of remainders and their dividends.
(check-sat-assuming ((= (* (to_real i1) (to_real i1)) 3.0)))
(check-sat-assuming ((= (* (to_real i0) (to_real i0)) (- 1.0))))
(check-sat-assuming ((< 0 (* (mod i0 4) (+ i1 i0))) (< (+ i1 i0) 0) (not (= (* i0 i1) 1))))
