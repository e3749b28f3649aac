; Insertion sort that compares the wrong way round.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun insert (Int List List) Bool)
(declare-fun sort (List List) Bool)
(declare-fun unsorted (List) Bool)

(assert (forall ((x Int)) (insert x nil (cons x nil))))
(assert (forall ((x Int) (h Int) (a List)) (=> (>= x h) (insert x (cons h a) (cons x (cons h a))))))
(assert (forall ((x Int) (h Int) (a List) (b List)) (=> (and (insert x a b) (< x h)) (insert x (cons h a) (cons h b)))))
(assert (sort nil nil))
(assert (forall ((h Int) (a List) (b List) (c List)) (=> (and (sort a b) (insert h b c)) (sort (cons h a) c))))
(assert (forall ((x Int) (y Int) (a List)) (=> (> x y) (unsorted (cons x (cons y a))))))
(assert (forall ((x Int) (a List)) (=> (unsorted a) (unsorted (cons x a)))))
(assert (forall ((a List) (b List)) (=> (and (sort a b) (unsorted b)) false)))

(check-sat)
