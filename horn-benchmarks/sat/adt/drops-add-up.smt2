; To drop some elements and then others is to drop as many as both together.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

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

(assert (forall ((m Int) (n Int) (a List) (b List) (c List) (d List))
  (=> (and (<= 0 m) (<= 0 n) (drop m a b) (drop n b c) (drop (+ m n) a d)
         (not (= c d))) false)))

(check-sat)
