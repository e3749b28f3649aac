; An equation of a choice between two numbers with a number, which is built as the condition: the
; checker of proofs took what it means as bounds from the condition, and refused the proof.
(set-logic ALL)
(check-sat-assuming ((= ((as const (Array Int Int)) 0) (store ((as const (Array Int Int)) 0) 0 (ite (= ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 1)) 0 1)))))
