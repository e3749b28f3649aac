; The program of Fig. 1 of the Newton paper (see sat/arrays/newton-fig1) where the memory is not freed when x is 2:
; after some rounds a /= b.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head ((Array Int Bool) (Array Int Bool) Int) Bool)

(assert (forall ((a (Array Int Bool))) (head a a 1)))
(assert (forall ((a (Array Int Bool)) (b (Array Int Bool)) (x Int) (p Int) (a1 (Array Int Bool)))
  (=> (and (head a b x)
           (not (select a p))
           (= a1 (store (store a p true) p (= x 2))))
      (head a1 b (+ x x)))))
(assert (forall ((a (Array Int Bool)) (b (Array Int Bool)) (x Int)) (=> (and (head a b x) (not (= a b))) false)))

(check-sat)
