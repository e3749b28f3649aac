; Shape: definitions with and without parameters, used in heads, bodies and other definitions.
(set-logic HORN)
(set-info :status sat)

(define-fun limit () Int 10)
(define-fun next ((x Int)) Int (ite (< x limit) (+ x 1) 0))
(define-fun good ((x Int)) Bool (and (<= 0 x) (<= x limit)))
(declare-fun p (Int) Bool)

(assert (p (next (- 1))))
(assert (forall ((y Int)) (=> (p y) (p (next y)))))
(assert (forall ((x Int)) (=> (p x) (good x))))

(check-sat)
