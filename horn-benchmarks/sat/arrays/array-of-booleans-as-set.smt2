; A set as an array of Booleans: elements go in and only the one that went in last goes out; 7 never goes in or out and
; stays absent.
(set-logic HORN)
(set-info :status sat)

(declare-fun set ((Array Int Bool)) Bool)

(assert (set ((as const (Array Int Bool)) false)))
(assert (forall ((s (Array Int Bool)) (x Int)) (=> (and (set s) (not (= x 7))) (set (store s x true)))))
(assert (forall ((s (Array Int Bool)) (x Int)) (=> (and (set s) (select s x)) (set (store s x false)))))
(assert (forall ((s (Array Int Bool))) (=> (and (set s) (select s 7)) false)))

(check-sat)
