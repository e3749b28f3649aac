; Multiplication of natural numbers in unary distributes over addition.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))

(declare-fun plus (Nat Nat Nat) Bool)
(assert (forall ((n Nat)) (plus zero n n)))
(assert (forall ((m Nat) (n Nat) (k Nat)) (=> (plus m n k) (plus (succ m) n (succ k)))))

(declare-fun times (Nat Nat Nat) Bool)
(assert (forall ((n Nat)) (times zero n zero)))
(assert (forall ((m Nat) (n Nat) (k Nat) (l Nat))
  (=> (and (times m n k) (plus n k l)) (times (succ m) n l))))

(assert (forall ((m Nat) (n Nat) (k Nat) (s Nat) (p Nat) (u Nat) (v Nat) (w Nat))
  (=> (and (plus n k s) (times m s p) (times m n u) (times m k v) (plus u v w)
         (not (= p w))) false)))

(check-sat)
