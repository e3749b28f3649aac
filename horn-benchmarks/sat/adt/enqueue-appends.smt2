; A queue of two lists, whose back is reversed when the front is empty: an element comes last.
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

(declare-datatypes ((Queue 0)) (((queue (front List) (back List)))))
(declare-fun balance (List List Queue) Bool)
(assert (forall ((b List) (c List)) (=> (reverse b c) (balance nil b (queue c nil)))))
(assert (forall ((h Int) (a List) (b List)) (balance (cons h a) b (queue (cons h a) b))))
(declare-fun enqueue (Int Queue Queue) Bool)
(assert (forall ((x Int) (a List) (b List) (q Queue))
  (=> (balance a (cons x b) q) (enqueue x (queue a b) q))))

(declare-fun elements (Queue List) Bool)
(assert (forall ((a List) (b List) (c List) (d List))
  (=> (and (reverse b c) (append a c d)) (elements (queue a b) d))))

(assert (forall ((x Int) (q Queue) (r Queue) (a List) (b List) (c List))
  (=> (and (enqueue x q r) (elements q a) (elements r b) (append a (cons x nil) c) (not (= b c)))
      false)))

(check-sat)
