; A list is not its reverse.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (append a b c) (append (cons h a) b (cons h c)))))

(declare-fun reverse (List List) Bool)
(assert (reverse nil nil))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (and (reverse a b) (append b (cons h nil) c)) (reverse (cons h a) c))))

(assert (forall ((a List) (b List))
  (=> (and (reverse a b) (not (= a b))) false)))

(check-sat)
