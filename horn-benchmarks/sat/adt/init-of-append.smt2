; All but the last element of a list to which an element was appended are the list.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (append a b c) (append (cons h a) b (cons h c)))))

(declare-fun init (List List) Bool)
(assert (init nil nil))
(assert (forall ((x Int)) (init (cons x nil) nil)))
(assert (forall ((x Int) (y Int) (a List) (b List))
  (=> (init (cons y a) b) (init (cons x (cons y a)) (cons x b)))))

(assert (forall ((x Int) (a List) (b List) (c List))
  (=> (and (append a (cons x nil) b) (init b c) (not (= a c))) false)))

(check-sat)
