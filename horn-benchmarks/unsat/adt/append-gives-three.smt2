; Appending two lists can give the list 1, 2, 3, against the claim.
; Hard a little: the split has to be guessed and the derivation runs over the first list.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun append (List List List) Bool)

(assert (forall ((y List)) (append nil y y)))
(assert (forall ((h Int) (x List) (y List) (z List)) (=> (append x y z) (append (cons h x) y (cons h z)))))
(assert (forall ((x List) (y List))
  (=> (and (append x y (cons 1 (cons 2 (cons 3 nil)))) ((_ is cons) x) ((_ is cons) y)) false)))

(check-sat)
