; A defined predicate that holds because of some y is used twice under a quantifier over another y. A reader that opens the second use
; with the variable of the first takes it for the outer y; the clause is then valid, and the system looks satisfiable.
; Hard for readers only: p(5), so p(y) for every y, so p(0).
(set-logic HORN)
(set-info :status unsat)

(declare-fun p (Int) Bool)
(declare-fun n () Bool)
(define-fun above ((x Int)) Bool (exists ((y Int)) (and (p y) (< x y))))

(assert (p 5))
(assert (forall ((y Int)) (=> (and (above 1) (or (above 1) n)) (p y))))
(assert (=> (p 0) false))

(check-sat)
