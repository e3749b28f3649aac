; Shape: a definition whose parameter has the name of a quantified variable at the place of use: shift(x, y) = x - 2y
; is applied as shift(y, x).
; Wrong in a reader that replaces the parameters one after the other.
(set-logic HORN)
(set-info :status unsat)

(define-fun shift ((x Int) (y Int)) Int (- x (* 2 y)))
(declare-fun p (Int Int) Bool)

(assert (p 1 10))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (shift y x) 8)) false)))

(check-sat)
