; Insertion that drops an element which is there already: the sorted list can be shorter.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun insert (Int List List) Bool)
(declare-fun sort (List List) Bool)
(declare-fun len (List Int) Bool)

(assert (forall ((x Int)) (insert x nil (cons x nil))))
(assert (forall ((x Int) (h Int) (a List)) (=> (< x h) (insert x (cons h a) (cons x (cons h a))))))
(assert (forall ((x Int) (h Int) (a List) (b List)) (=> (and (insert x a b) (> x h)) (insert x (cons h a) (cons h b)))))
(assert (forall ((x Int) (a List)) (insert x (cons x a) (cons x a))))
(assert (sort nil nil))
(assert (forall ((h Int) (a List) (b List) (c List)) (=> (and (sort a b) (insert h b c)) (sort (cons h a) c))))
(assert (len nil 0))
(assert (forall ((h Int) (a List) (n Int)) (=> (len a n) (len (cons h a) (+ n 1)))))
(assert (forall ((a List) (b List) (m Int) (n Int)) (=> (and (sort a b) (len a m) (len b n) (not (= m n))) false)))

(check-sat)
