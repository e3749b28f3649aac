; The program of Fig. 1 of "Craig vs. Newton in Software Model Checking" (ESEC/FSE 2017): b is a copy of the allocation
; table a; the loop allocates a free address p and frees it again, and does arithmetic on x that does not matter; at the
; end a = b.
; Hard for proofs that keep x; a = b at the loop head is the invariant, and needs a[p := true][p := false] = a if not a[p].
(set-logic HORN)
(set-info :status sat)

(declare-fun head ((Array Int Bool) (Array Int Bool) Int) Bool) ; a b x

(assert (forall ((a (Array Int Bool))) (head a a 0)))
(assert (forall ((a (Array Int Bool)) (b (Array Int Bool)) (x Int) (p Int) (a1 (Array Int Bool)))
  (=> (and (head a b x)
           (not (select a p))
           (= a1 (store (store a p true) p false)))
      (head a1 b (+ x 1)))))
(assert (forall ((a (Array Int Bool)) (b (Array Int Bool)) (x Int)) (=> (and (head a b x) (not (= a b))) false)))

(check-sat)
