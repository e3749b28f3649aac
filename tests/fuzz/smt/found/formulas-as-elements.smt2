; A formula as an element of an array in one part of three: interpolation did not decide it once the
; next part was encoded, and took the parts for satisfiable.
(set-logic ALL)
(declare-const i0 Int)
(declare-const i1 Int)
(declare-const b1 Bool)
(assert (and (<= i0 0) (<= i1 0)))
(assert (= (store ((as const (Array Int Bool)) false) 0 b1) (store ((as const (Array Int Bool)) false) i0 (<= (+ i0 i1) 0))))
(assert (not b1))
(check-sat)
