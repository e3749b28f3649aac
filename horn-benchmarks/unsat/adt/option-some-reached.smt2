; A parametric option at Int that becomes (some 4) in four steps.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Option 1)) ((par (T) ((none) (some (value T))))))
(declare-fun r ((Option Int)) Bool)

(assert (r (as none (Option Int))))
(assert (=> (r (as none (Option Int))) (r (some 1))))
(assert (forall ((x Int)) (=> (r (some x)) (r (some (+ x 1))))))
(assert (=> (r (some 4)) false))

(check-sat)
