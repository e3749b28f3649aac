; As member-of-append, with the claim that an element of the result is one of the first list.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(declare-fun member (Int List Bool) Bool)

(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List)) (=> (append a b c) (append (cons h a) b (cons h c)))))
(assert (forall ((x Int)) (member x nil false)))
(assert (forall ((x Int) (l List)) (member x (cons x l) true)))
(assert (forall ((x Int) (h Int) (l List) (b Bool)) (=> (and (member x l b) (not (= x h))) (member x (cons h l) b))))
(assert (forall ((x Int) (a List) (b List) (c List)) (=> (and (append a b c) (member x c true) (member x a false)) false)))

(check-sat)
