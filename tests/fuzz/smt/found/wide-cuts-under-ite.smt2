; Cuts whose coefficients multiply, with values of ite in them.
(set-logic ALL)
(declare-const i1 Int)
(declare-const i2 Int)
(declare-const i0 Int)
(declare-const b2 Bool)
(declare-const b1 Bool)
(assert (let ((?0 (+ i2 i2 (ite (< 6 (+ (* 2 i0) (* (- 1) i0))) i0 i2)))) (let ((?1 (ite (= i1 (+ i2 i1)) i0 i1))) (or (ite (< (+ i1 19) (+ (* 4611686018427387904 i1) (* 1180591620717411303422 i2))) (<= (- 5) (+ (* 18446744073709551615 i0) 1)) (< (+ (* (- 2) i0) (* (- 9223372036854775810) i2) i2) (- 1))) b2 (< i0 (- 56)) (not (and (not (= ?0 4)) (not (= ?0 ?1)) (not (= ?1 4)))) (< i1 (- 5)) b1))))
(check-sat-assuming ((<= (- 3) (+ (* (- 2305843009213693952) i1) (* (- 2) i0) (* (- 4294967295) i2)))))
