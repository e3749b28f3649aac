; A simplifier that takes 1 for the neutral element of addition.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Expr 0)) (((lit (value Int)) (plus (first Expr) (second Expr)))))
(declare-fun eval (Expr Int) Bool)
(declare-fun simplify (Expr Expr) Bool)

(assert (forall ((n Int)) (eval (lit n) n)))
(assert (forall ((a Expr) (b Expr) (m Int) (n Int)) (=> (and (eval a m) (eval b n)) (eval (plus a b) (+ m n)))))
(assert (forall ((n Int)) (simplify (lit n) (lit n))))
(assert (forall ((a Expr) (b Expr) (c Expr)) (=> (and (simplify a (lit 1)) (simplify b c)) (simplify (plus a b) c))))
(assert (forall ((a Expr) (b Expr) (m Int) (n Int)) (=> (and (simplify a (lit m)) (simplify b (lit n))) (simplify (plus a b) (lit (+ m n))))))
(assert (forall ((a Expr) (b Expr) (c Expr) (d Expr)) (=> (and (simplify a c) (simplify b d)) (simplify (plus a b) (plus c d)))))
(assert (forall ((a Expr) (b Expr) (m Int) (n Int)) (=> (and (simplify a b) (eval a m) (eval b n) (not (= m n))) false)))

(check-sat)
