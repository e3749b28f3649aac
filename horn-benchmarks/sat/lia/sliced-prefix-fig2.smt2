; The program of Fig. 2 of "Domain-Type-Guided Refinement Selection Based on Sliced Path Prefixes" (2015): a loop counts
; i to 10, and the error needs b /= 0 and i /= 10, while b is 0 from the start.
; Hard for a refinement that picks the wrong one of two reasons: a proof about i unrolls the loop ten times, a proof
; about b needs one look.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int Int) Bool) ; b i
(declare-fun out (Int Int) Bool)

(assert (forall ((b Int) (i Int)) (=> (and (= b 0) (= i 0)) (head b i))))
(assert (forall ((b Int) (i Int) (i1 Int)) (=> (and (head b i) (not (> i 9)) (= i1 (+ i 1))) (head b i1))))
(assert (forall ((b Int) (i Int)) (=> (and (head b i) (> i 9)) (out b i))))
(assert (forall ((b Int) (i Int)) (=> (and (out b i) (not (= b 0)) (not (= i 10))) false)))

(check-sat)
