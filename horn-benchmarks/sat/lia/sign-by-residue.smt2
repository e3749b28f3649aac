; Residues decide whether a number is added or its opposite: s flips between 2 and -2, and total always grows.
; Hard: each step back relates s and total by a new coefficient, for ever, unless s is bounded by itself.
(set-logic HORN)
(set-info :status sat)

(declare-fun flip (Int Int) Bool)

(assert (flip 2 0))
(assert (forall ((s Int) (total Int))
  (=> (flip s total) (flip (- s) (ite (= (mod s 5) 2) (+ total s) (- total s))))))
(assert (forall ((s Int) (total Int)) (=> (and (flip s total) (< total 0)) false)))

(check-sat)
