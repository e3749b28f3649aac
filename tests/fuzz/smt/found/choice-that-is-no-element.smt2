; A choice of two numbers is an element of an array, where it would have to be a third number. The
; lemma about the array had no literal for that equation, and the checker refused the proof.
(set-logic ALL)
(check-sat-assuming ((= ((as const (Array Int Int)) 0) (store ((as const (Array Int Int)) 0) 0 (ite (= ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 1)) (- 1) 1)))))
