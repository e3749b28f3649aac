; Not supported: a function that is defined by recursion.
; error: 4:17 not supported
(set-logic HORN)
(define-fun-rec f ((x Int)) Int (ite (<= x 0) 0 (+ 1 (f (- x 1)))))
(declare-fun p (Int) Bool)
(assert (p (f 3)))
(check-sat)
