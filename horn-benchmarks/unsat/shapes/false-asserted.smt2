; Shape: the assertion of false itself, without a predicate or a logic; and other assertions of constants.
(set-info :status unsat)
(assert true)
(assert false)
(check-sat)
