; As append-adds-lengths, with the claim that the result is hardly longer than the second list.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(declare-fun len (List Int) Bool)

(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List)) (=> (append a b c) (append (cons h a) b (cons h c)))))
(assert (len nil 0))
(assert (forall ((h Int) (a List) (n Int)) (=> (len a n) (len (cons h a) (+ n 1)))))
(assert (forall ((a List) (b List) (c List) (n Int) (k Int))
  (=> (and (append a b c) (len b n) (len c k) (> k (+ n 2))) false)))

(check-sat)
