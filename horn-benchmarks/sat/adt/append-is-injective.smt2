; Lists that give the same with a list in front are the same.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (append a b c) (append (cons h a) b (cons h c)))))

(assert (forall ((a List) (b List) (c List) (d List))
  (=> (and (append a b d) (append a c d) (not (= b c))) false)))

(check-sat)
