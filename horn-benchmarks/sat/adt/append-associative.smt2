; Concatenation is associative. The lengths of lists do not say this: it takes induction.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (append a b c) (append (cons h a) b (cons h c)))))

(assert (forall ((a List) (b List) (c List) (x List) (y List) (u List) (v List))
  (=> (and (append a b x) (append x c y) (append b c u) (append a u v)
         (not (= y v))) false)))

(check-sat)
