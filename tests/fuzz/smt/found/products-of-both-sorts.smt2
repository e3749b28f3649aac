; An equation between a real and an integer, multiplied by a factor of the other sort: the product was
; built of terms of two sorts.
(set-logic ALL)
(declare-const i1 Int)
(declare-const i0 Int)
(declare-const r0 Real)
(declare-const r1 Real)
(assert (<= (* i1 i0) 0))
(assert (< 0.0 r0))
(assert (< r1 0.0))
(assert (<= (to_int (* r1 r0)) 0))
(assert (= r0 (to_real i0)))
(check-sat)
