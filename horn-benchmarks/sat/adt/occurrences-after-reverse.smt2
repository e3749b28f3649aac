; A list and its reverse have an element equally often.
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

(declare-fun occurrences (Int List Int) Bool)
(assert (forall ((x Int)) (occurrences x nil 0)))
(assert (forall ((x Int) (a List) (n Int))
  (=> (occurrences x a n) (occurrences x (cons x a) (+ n 1)))))
(assert (forall ((x Int) (h Int) (a List) (n Int))
  (=> (and (not (= x h)) (occurrences x a n)) (occurrences x (cons h a) n))))

(assert (forall ((x Int) (a List) (b List) (m Int) (n Int))
  (=> (and (reverse a b) (occurrences x a m) (occurrences x b n) (not (= m n))) false)))

(check-sat)
