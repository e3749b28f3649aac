; Addition of natural numbers in unary is commutative.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))

(declare-fun plus (Nat Nat Nat) Bool)
(assert (forall ((n Nat)) (plus zero n n)))
(assert (forall ((m Nat) (n Nat) (k Nat)) (=> (plus m n k) (plus (succ m) n (succ k)))))

(assert (forall ((m Nat) (n Nat) (k Nat) (l Nat))
  (=> (and (plus m n k) (plus n m l) (not (= k l))) false)))

(check-sat)
