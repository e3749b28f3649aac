; Shape: datatypes with sort parameters: lists of pairs, with qualified constructors where the sort is not determined.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Pair 2) (Row 1)) (
  (par (A B) ((pair (fst A) (snd B))))
  (par (T) ((empty) (add (top T) (rest (Row T)))))))
(declare-fun p ((Row (Pair Int Bool))) Bool)

(assert (p (as empty (Row (Pair Int Bool)))))
(assert (forall ((s (Row (Pair Int Bool))) (x Int) (b Bool)) (=> (and (p s) (= b (> x 2))) (p (add (pair x b) s)))))
(assert (forall ((s (Row (Pair Int Bool)))) (=> (and (p s) ((_ is add) s) (snd (top s))) false)))

(check-sat)
