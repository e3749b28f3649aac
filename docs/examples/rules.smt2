; A number that goes up by one reaches 3; in this dialect `sat` says so.
(declare-rel p (Int))
(declare-rel bad ())
(declare-var x Int)
(rule (p 0))
(rule (=> (p x) (p (+ x 1))))
(rule (=> (and (p x) (= x 3)) bad))
(query bad)
