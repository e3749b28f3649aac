; A walk x by steps of -1, 0, 1, and beside it the same walk m with a mirror at 0: m is never negative.
; Easy, but full of ite and abs, nested in each other, that have to be taken apart.
(set-logic HORN)
(set-info :status sat)

(declare-fun walk (Int Int) Bool) ; x, mirrored

(assert (walk 0 0))
(assert (forall ((x Int) (m Int) (d Int))
  (=> (and (walk x m) (<= (abs d) 1))
      (walk (+ x d) (ite (< (+ m d) 0) (ite (= d 0) m (- (+ m d))) (+ m d))))))
(assert (forall ((x Int) (m Int)) (=> (and (walk x m) (< m 0)) false)))

(check-sat)
