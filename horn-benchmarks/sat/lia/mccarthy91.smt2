; McCarthy's 91 function: m(n) = n - 10 for n > 100, otherwise m(m(n + 11)). For n <= 101 the result is 91.
; Hard because the clause is not linear and one summary has to hold two cases: n > 100 /\ r = n - 10, n <= 100 /\ r = 91.
(set-logic HORN)
(set-info :status sat)

(declare-fun mc (Int Int) Bool) ; n result

(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (t Int) (r Int))
  (=> (and (<= n 100) (mc (+ n 11) t) (mc t r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 101) (not (= r 91))) false)))

(check-sat)
