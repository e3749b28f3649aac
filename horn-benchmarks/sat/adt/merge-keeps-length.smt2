; Merging two lists by the smaller head keeps the number of elements.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun length (List Int) Bool)
(assert (length nil 0))
(assert (forall ((h Int) (a List) (n Int)) (=> (length a n) (length (cons h a) (+ n 1)))))

(declare-fun merge (List List List) Bool)
(assert (forall ((l List)) (merge nil l l)))
(assert (forall ((l List)) (merge l nil l)))
(assert (forall ((x Int) (a List) (y Int) (b List) (c List))
  (=> (and (<= x y) (merge a (cons y b) c)) (merge (cons x a) (cons y b) (cons x c)))))
(assert (forall ((x Int) (a List) (y Int) (b List) (c List))
  (=> (and (> x y) (merge (cons x a) b c)) (merge (cons x a) (cons y b) (cons y c)))))

(assert (forall ((a List) (b List) (c List) (m Int) (n Int) (k Int))
  (=> (and (merge a b c) (length a m) (length b n) (length c k) (not (= k (+ m n)))) false)))

(check-sat)
