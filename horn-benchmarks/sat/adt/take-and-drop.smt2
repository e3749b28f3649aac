; What is taken of a list and what is left are the list.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun append (List List List) Bool)
(assert (forall ((l List)) (append nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (append a b c) (append (cons h a) b (cons h c)))))

(declare-fun take (Int List List) Bool)
(assert (forall ((n Int)) (take n nil nil)))
(assert (forall ((n Int) (l List)) (=> (<= n 0) (take n l nil))))
(assert (forall ((n Int) (h Int) (a List) (b List))
  (=> (and (> n 0) (take (- n 1) a b)) (take n (cons h a) (cons h b)))))
(declare-fun drop (Int List List) Bool)
(assert (forall ((n Int)) (drop n nil nil)))
(assert (forall ((n Int) (l List)) (=> (<= n 0) (drop n l l))))
(assert (forall ((n Int) (h Int) (a List) (b List))
  (=> (and (> n 0) (drop (- n 1) a b)) (drop n (cons h a) b))))

(assert (forall ((n Int) (a List) (b List) (c List) (d List))
  (=> (and (take n a b) (drop n a c) (append b c d) (not (= a d))) false)))

(check-sat)
