; Z3's rule dialect with two queries; `sat` means that the relation is reachable.
; Expected: unsat, sat.
(declare-rel p (Int))
(declare-rel odd ())
(declare-rel ten ())
(declare-var x Int)
(rule (p 0))
(rule (=> (p x) (p (+ x 2))))
(rule (=> (and (p x) (< x 0)) odd))
(rule (=> (p 10) ten))
(set-info :status unsat)
(query odd)
(set-info :status sat)
(query ten)
