; A ring of five stations with one token: at no time have two stations the token.
; Hard a little: "at most one of five" is ten clauses of two literals.
(set-logic HORN)
(set-info :status sat)

(declare-fun ring (Bool Bool Bool Bool Bool) Bool)

(assert (ring true false false false false))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool)) (=> (ring a b c d e) (ring e a b c d))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool))
  (=> (and (ring a b c d e)
           (or (and a b) (and a c) (and a d) (and a e) (and b c) (and b d) (and b e) (and c d) (and c e) (and d e)))
      false)))

(check-sat)
