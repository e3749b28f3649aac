; Two phases of 10000 steps each. The steps of a phase alternate: they add 2 to y and take 1
; away, then the reverse. So y is 0 at the end, and false has a derivation of 20002 facts. No
; single case of the loop can be taken many times in a row.
(set-logic HORN)
(set-info :status unsat)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y) (< x 20000)
           (= z (ite (< x 10000) (ite (= (mod x 2) 0) (+ y 2) (- y 1))
                                 (ite (= (mod x 2) 0) (- y 2) (+ y 1)))))
      (p (+ x 1) z))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 20000) (= y 0)) false)))
(check-sat)
