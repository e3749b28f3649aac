; The reverse of a list, by concatenation and by an accumulator.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (append a b c) (append (cons h a) b (cons h c)))))

(declare-fun reverse (List List) Bool)
(assert (reverse nil nil))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (and (reverse a b) (append b (cons h nil) c)) (reverse (cons h a) c))))

(declare-fun onto (List List List) Bool)
(assert (forall ((l List)) (onto nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (onto a (cons h b) c) (onto (cons h a) b c))))

(assert (forall ((a List) (b List) (c List))
  (=> (and (reverse a b) (onto a nil c) (not (= b c))) false)))

(check-sat)
