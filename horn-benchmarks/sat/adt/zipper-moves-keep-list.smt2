; A zipper is the elements before the focus in reverse, and those after it: a move keeps the list.
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

(declare-datatypes ((Zipper 0)) (((zipper (before List) (after List)))))
(declare-fun right (Zipper Zipper) Bool)
(assert (forall ((a List)) (right (zipper a nil) (zipper a nil))))
(assert (forall ((a List) (x Int) (b List)) (right (zipper a (cons x b)) (zipper (cons x a) b))))

(declare-fun elements (Zipper List) Bool)
(assert (forall ((a List) (b List) (c List) (d List))
  (=> (and (reverse a c) (append c b d)) (elements (zipper a b) d))))

(assert (forall ((z Zipper) (y Zipper) (a List) (b List))
  (=> (and (right z y) (elements z a) (elements y b) (not (= a b))) false)))

(check-sat)
