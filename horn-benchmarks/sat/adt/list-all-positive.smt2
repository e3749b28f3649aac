; A list to which only positive numbers are pushed has a positive first element, when it has one.
; Easy: the property of the top element is inductive as long as nothing is popped.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun l (List) Bool)

(assert (l nil))
(assert (forall ((x Int) (t List)) (=> (and (l t) (> x 0)) (l (cons x t)))))
(assert (forall ((t List)) (=> (and (l t) ((_ is cons) t) (<= (hd t) 0)) false)))

(check-sat)
