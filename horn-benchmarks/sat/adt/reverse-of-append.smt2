; The reverse of a concatenation is the concatenation of the reverses in the other order.
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

(assert (forall ((a List) (b List) (x List) (y List) (u List) (v List) (w List))
  (=> (and (append a b x) (reverse x y) (reverse a u) (reverse b v) (append v u w)
         (not (= y w))) false)))

(check-sat)
