; Insertion keeps a list in order. The order is defined by recursion over natural numbers that are
; integers, so that 0 is at most any integer.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-datatypes ((Truth 0)) (((no) (yes))))

(declare-fun le (Truth Int Int) Bool)
(assert (forall ((n Int)) (le yes 0 n)))
(assert (forall ((m Int)) (=> (>= m 0) (le no (+ m 1) 0))))
(assert (forall ((r Truth) (m Int) (n Int))
  (=> (and (le r m n) (>= m 0) (>= n 0)) (le r (+ m 1) (+ n 1)))))
(declare-fun sorted (Truth List) Bool)
(assert (sorted yes nil))
(assert (forall ((n Int)) (sorted yes (cons n nil))))
(assert (forall ((m Int) (n Int) (l List)) (=> (le no m n) (sorted no (cons m (cons n l))))))
(assert (forall ((r Truth) (m Int) (n Int) (l List))
  (=> (and (le yes m n) (sorted r (cons n l))) (sorted r (cons m (cons n l))))))
(declare-fun insert (List Int List) Bool)
(assert (forall ((n Int)) (insert (cons n nil) n nil)))
(assert (forall ((n Int) (h Int) (l List))
  (=> (le yes n h) (insert (cons n (cons h l)) n (cons h l)))))
(assert (forall ((n Int) (h Int) (k List) (l List))
  (=> (and (le no n h) (insert k n l)) (insert (cons h k) n (cons h l)))))

(assert (forall ((n Int) (k List) (l List))
  (=> (and (sorted yes l) (insert k n l) (sorted no k)) false)))
(check-sat)
