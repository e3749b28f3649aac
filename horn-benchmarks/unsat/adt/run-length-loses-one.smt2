; Run-length decoding that forgets the first element of a run.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-datatypes ((Runs 0)) (((none) (run (more Nat) (element Int) (others Runs)))))

(declare-fun put (Int Runs Runs) Bool)
(assert (forall ((x Int)) (put x none (run zero x none))))
(assert (forall ((x Int) (n Nat) (r Runs)) (put x (run n x r) (run (succ n) x r))))
(assert (forall ((x Int) (n Nat) (y Int) (r Runs))
  (=> (not (= x y)) (put x (run n y r) (run zero x (run n y r))))))

(declare-fun encode (List Runs) Bool)
(assert (encode nil none))
(assert (forall ((h Int) (a List) (r Runs) (s Runs))
  (=> (and (encode a r) (put h r s)) (encode (cons h a) s))))

(declare-fun repeat (Nat Int List List) Bool)
(assert (forall ((x Int) (a List)) (repeat zero x a a)))
(assert (forall ((n Nat) (x Int) (a List) (b List))
  (=> (repeat n x a b) (repeat (succ n) x a (cons x b)))))

(declare-fun decode (Runs List) Bool)
(assert (decode none nil))
(assert (forall ((n Nat) (x Int) (r Runs) (a List) (b List))
  (=> (and (decode r a) (repeat n x a b)) (decode (run n x r) b))))

(assert (forall ((a List) (r Runs) (b List))
  (=> (and (encode a r) (decode r b) (not (= a b))) false)))

(check-sat)
