; Shape: let binds in parallel: in (let ((x y) (y x)) …) the two are exchanged.
; Wrong in a reader that binds one after the other.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int Int) Bool)

(assert (p 1 2))
(assert (forall ((x Int) (y Int)) (=> (p x y) (let ((x y) (y x)) (p (+ x 1) (+ y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x y)) false)))

(check-sat)
