; Two constant arrays over Bool with stores to all indices between them: they have no index left at which they must agree.
; unsat: the arrays are equal if x is (w false).
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((D 0)) (((r) (g) (w (wb Bool)))))
(declare-fun p (D) Bool)

(assert (forall ((x D) (y D))
  (=> (= (store ((as const (Array Bool D)) x) false r)
         (store (store ((as const (Array Bool D)) r) false y) true (w false)))
      (p x))))
(assert (forall ((x D)) (=> (and (p x) ((_ is w) x)) false)))

(check-sat)
