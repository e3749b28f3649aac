; SMT-LIB's floor division: (- 7) div 2 is -4 and its remainder 1, against the claim that it is -3 as in C.
(set-logic HORN)
(set-info :status unsat)

(declare-fun value (Int Int) Bool)

(assert (forall ((x Int)) (=> (= x (- 7)) (value (div x 2) (mod x 2)))))
(assert (forall ((q Int) (r Int)) (=> (and (value q r) (= q (- 4)) (= r 1)) false)))

(check-sat)
