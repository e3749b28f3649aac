; The elements up to a pivot and those above it are together as many as the list has.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun length (List Int) Bool)
(assert (length nil 0))
(assert (forall ((h Int) (a List) (n Int)) (=> (length a n) (length (cons h a) (+ n 1)))))

(declare-fun low (Int List List) Bool)
(assert (forall ((p Int)) (low p nil nil)))
(assert (forall ((p Int) (h Int) (a List) (b List))
  (=> (and (<= h p) (low p a b)) (low p (cons h a) (cons h b)))))
(assert (forall ((p Int) (h Int) (a List) (b List))
  (=> (and (> h p) (low p a b)) (low p (cons h a) b))))
(declare-fun high (Int List List) Bool)
(assert (forall ((p Int)) (high p nil nil)))
(assert (forall ((p Int) (h Int) (a List) (b List))
  (=> (and (> h p) (high p a b)) (high p (cons h a) (cons h b)))))
(assert (forall ((p Int) (h Int) (a List) (b List))
  (=> (and (<= h p) (high p a b)) (high p (cons h a) b))))

(assert (forall ((p Int) (l List) (a List) (b List) (m Int) (n Int) (k Int))
  (=> (and (low p l a) (high p l b) (length l k) (length a m) (length b n) (not (= k (+ m n))))
      false)))

(check-sat)
