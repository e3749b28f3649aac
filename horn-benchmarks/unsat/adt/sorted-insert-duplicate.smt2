; Insertion into a sorted list keeps duplicates: a list with two equal neighbours can be built.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun sorted (List) Bool)

(assert (sorted nil))
(assert (forall ((x Int)) (sorted (cons x nil))))
(assert (forall ((x Int) (y Int) (t List)) (=> (and (sorted (cons y t)) (<= x y)) (sorted (cons x (cons y t))))))
(assert (forall ((x Int) (t List)) (=> (sorted (cons x (cons x t))) false)))

(check-sat)
