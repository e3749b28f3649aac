; The program of the sliced-prefix paper (see sat/lia/sliced-prefix-fig2) where the loop may leave early at i = 7 and
; sets b on that way: the error is reachable after seven iterations.
; Hard a little: the right branch exists in one iteration only.
(set-logic HORN)
(set-info :status unsat)

(declare-fun head (Int Int) Bool)
(declare-fun out (Int Int) Bool)

(assert (forall ((b Int) (i Int)) (=> (and (= b 0) (= i 0)) (head b i))))
(assert (forall ((b Int) (i Int)) (=> (and (head b i) (<= i 9)) (head b (+ i 1)))))
(assert (forall ((b Int) (i Int)) (=> (and (head b i) (= i 7)) (out 1 i))))
(assert (forall ((b Int) (i Int)) (=> (and (head b i) (> i 9)) (out b i))))
(assert (forall ((b Int) (i Int)) (=> (and (out b i) (not (= b 0)) (not (= i 10))) false)))

(check-sat)
