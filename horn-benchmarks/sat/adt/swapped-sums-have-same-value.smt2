; An expression whose sums have their arguments swapped has the same value. Every constructor has
; fields of a datatype: a constant has a number.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-datatypes ((Expr 0)) (((const (value Nat)) (sum (first Expr) (second Expr)))))

(declare-fun plus (Nat Nat Nat) Bool)
(assert (forall ((n Nat)) (plus zero n n)))
(assert (forall ((m Nat) (n Nat) (k Nat)) (=> (plus m n k) (plus (succ m) n (succ k)))))

(declare-fun eval (Expr Nat) Bool)
(assert (forall ((n Nat)) (eval (const n) n)))
(assert (forall ((a Expr) (b Expr) (m Nat) (n Nat) (k Nat))
  (=> (and (eval a m) (eval b n) (plus m n k)) (eval (sum a b) k))))

(declare-fun swap (Expr Expr) Bool)
(assert (forall ((n Nat)) (swap (const n) (const n))))
(assert (forall ((a Expr) (b Expr) (c Expr) (d Expr))
  (=> (and (swap a c) (swap b d)) (swap (sum a b) (sum d c)))))

(assert (forall ((a Expr) (b Expr) (m Nat) (n Nat))
  (=> (and (swap a b) (eval a m) (eval b n) (not (= m n))) false)))

(check-sat)
