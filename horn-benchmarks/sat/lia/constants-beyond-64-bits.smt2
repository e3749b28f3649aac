; A counter that starts at 2^70, doubles, and never is 2^70 + 1.
; Easy in mathematics; wrong in a solver whose constants overflow at 64 or 128 bits (2^130 is excluded as well).
; Invariant: x = 2^70 or x >= 2^71.
(set-logic HORN)
(set-info :status sat)

(declare-fun big (Int) Bool)

(assert (big 1180591620717411303424))
(assert (forall ((x Int)) (=> (big x) (big (* 2 x)))))
(assert (=> (big 1180591620717411303425) false))
(assert (=> (big (- 1361129467683753853853498429727072845824)) false))

(check-sat)
