; As binary-increment, without the carry.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Bits 0)) (((one) (zero-and (rest0 Bits)) (one-and (rest1 Bits)))))
(declare-fun next (Bits Bits) Bool)
(declare-fun value (Bits Int) Bool)

(assert (next one (zero-and one)))
(assert (forall ((b Bits)) (next (zero-and b) (one-and b))))
(assert (forall ((b Bits) (c Bits)) (=> (next b c) (next (one-and b) (zero-and b)))))
(assert (value one 1))
(assert (forall ((b Bits) (n Int)) (=> (value b n) (value (zero-and b) (* 2 n)))))
(assert (forall ((b Bits) (n Int)) (=> (value b n) (value (one-and b) (+ (* 2 n) 1)))))
(assert (forall ((b Bits) (c Bits) (m Int) (n Int)) (=> (and (next b c) (value b m) (value c n) (not (= n (+ m 1)))) false)))

(check-sat)
