; Z3's rule dialect: a counter that stops at 10 never reaches 11; `unsat` means that the query is unreachable.
(set-info :status unsat)
(set-option :fp.engine spacer)

(declare-rel count (Int))
(declare-rel reached ())
(declare-var x Int)

(rule (count 0))
(rule (=> (and (count x) (< x 10)) (count (+ x 1))))
(rule (=> (and (count x) (> x 10)) reached))

(query reached)
