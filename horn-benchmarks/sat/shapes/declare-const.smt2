; Shape: declare-const for nullary predicates, beside declare-fun.
(set-logic HORN)
(set-info :status sat)

(declare-const started Bool)
(declare-const failed Bool)
(declare-fun p (Int) Bool)

(assert started)
(assert (=> started (p 0)))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) failed)))
(assert (=> failed false))

(check-sat)
