; To drop m elements and then n is to drop n elements and then m. Numbers are naturals of a datatype.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Nat 0) (List 0))
  (((zero) (succ (before Nat)))
   ((nil) (cons (head Int) (tail List)))))

(declare-fun drop (Nat List List) Bool)
(assert (forall ((l List)) (drop zero l l)))
(assert (forall ((n Nat)) (drop (succ n) nil nil)))
(assert (forall ((n Nat) (h Int) (a List) (b List))
  (=> (drop n a b) (drop (succ n) (cons h a) b))))

(assert (forall ((m Nat) (n Nat) (a List) (b List) (c List) (d List) (e List))
  (=> (and (drop m a b) (drop n b c) (drop n a d) (drop m d e) (not (= c e))) false)))

(check-sat)
