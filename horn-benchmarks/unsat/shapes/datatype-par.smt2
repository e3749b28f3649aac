; Shape: datatypes with sort parameters: lists of pairs, with qualified constructors where the sort is not determined.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Pair 2) (Seq 1)) (
  (par (A B) ((pair (fst A) (snd B))))
  (par (T) ((empty) (add (top T) (rest (Seq T)))))))
(declare-fun p ((Seq (Pair Int Bool))) Bool)

(assert (p (as empty (Seq (Pair Int Bool)))))
(assert (forall ((s (Seq (Pair Int Bool))) (x Int) (b Bool)) (=> (and (p s) (= b (> x 2))) (p (add (pair x b) s)))))
(assert (forall ((s (Seq (Pair Int Bool)))) (=> (and (p s) ((_ is add) s) (snd (top s))) false)))

(check-sat)
