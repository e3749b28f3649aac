; Peano arithmetic: half of the double of a number is the number. Half looks at two constructors.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))

(declare-fun double (Nat Nat) Bool)
(assert (double zero zero))
(assert (forall ((n Nat) (m Nat)) (=> (double n m) (double (succ n) (succ (succ m))))))

(declare-fun half (Nat Nat) Bool)
(assert (half zero zero))
(assert (half (succ zero) zero))
(assert (forall ((n Nat) (m Nat)) (=> (half n m) (half (succ (succ n)) (succ m)))))

(assert (forall ((n Nat) (m Nat) (k Nat))
  (=> (and (double n m) (half m k) (not (= k n))) false)))

(check-sat)
