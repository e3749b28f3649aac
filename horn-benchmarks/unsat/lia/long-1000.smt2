; A counter reaches 1,000: the only counterexample is a chain of 1,000 facts.
; Hard for engines that keep a frame for each step, and for printers and checkers that recurse.
(set-logic HORN)
(set-info :status unsat)

(declare-fun count (Int) Bool)

(assert (count 0))
(assert (forall ((x Int)) (=> (and (count x) (< x 1000)) (count (+ x 1)))))
(assert (=> (count 1000) false))

(check-sat)
