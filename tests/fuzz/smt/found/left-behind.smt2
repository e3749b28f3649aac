; Nothing is asked of the variables in the end, but they have fractional values from the questions before.
(set-logic ALL)
(declare-const i0 Int)
(declare-const i2 Int)
(declare-const i1 Int)
(push 1)
(check-sat-assuming ((< i0 (- 6)) (<= (+ i2 (* (- 9223372036854775808) i2) i0 6) (+ (* 2 i0) (* (- 1361129467683753853853498429727072845826) i1) (* 7 i2)))))
(check-sat-assuming ((= (+ (* (- 2147483647) i1) 1361129467683753853853498429727072845824) (- 58)) (<= (+ (* (- 1) i0) (* 18446744073709551617 i0) (* 2147483647 i1)) 5)))
(check-sat)
