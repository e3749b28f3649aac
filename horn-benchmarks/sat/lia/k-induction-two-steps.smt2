; A property that is not 1-inductive but 2-inductive, as in the k-induction papers: (a, b, c) is rotated from
; (1, 2, 3), and a /= b is to be shown. One step back from a = b lies a state with b = c, which the property allows.
; Hard for plain induction; strengthening to "all three differ" or induction over three steps proves it.
(set-logic HORN)
(set-info :status sat)

(declare-fun rotate (Int Int Int) Bool)

(assert (rotate 1 2 3))
(assert (forall ((a Int) (b Int) (c Int)) (=> (rotate a b c) (rotate b c a))))
(assert (forall ((a Int) (b Int) (c Int)) (=> (and (rotate a b c) (= a b)) false)))

(check-sat)
