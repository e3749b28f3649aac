; Concatenation is not commutative, as two lists of one element show.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (append a b c) (append (cons h a) b (cons h c)))))

(assert (forall ((a List) (b List) (x List) (y List))
  (=> (and (append a b x) (append b a y) (not (= x y))) false)))

(check-sat)
