; Z3's rule dialect: relations, variables declared once for all rules, and a query; `sat` means that it is reachable.
; A counter reaches 10 in ten steps.
(set-info :status sat)
(set-option :fp.engine spacer)

(declare-rel count (Int))
(declare-rel reached ())
(declare-var x Int)

(rule (count 0))
(rule (=> (and (count x) (< x 10)) (count (+ x 1))))
(rule (=> (and (count x) (= x 10)) reached))

(query reached)
