; A list that is dealt into two, element by element, and interleaved again is the list.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))

(declare-fun first-hand (List List) Bool)
(declare-fun second-hand (List List) Bool)
(assert (first-hand nil nil))
(assert (forall ((h Int) (a List) (b List))
  (=> (second-hand a b) (first-hand (cons h a) (cons h b)))))
(assert (second-hand nil nil))
(assert (forall ((h Int) (a List) (b List)) (=> (first-hand a b) (second-hand (cons h a) b))))

(declare-fun interleave (List List List) Bool)
(assert (forall ((l List)) (interleave nil l l)))
(assert (forall ((h Int) (a List) (b List) (c List))
  (=> (interleave b a c) (interleave (cons h a) b (cons h c)))))

(assert (forall ((l List) (a List) (b List) (c List))
  (=> (and (first-hand l a) (second-hand l b) (interleave a b c) (not (= c l))) false)))

(check-sat)
