; The bakery for two processes with tickets of two bits; nobody draws a ticket while the other holds the last one, 3.
; Both critical: never.
; Hard a little: a number comparison in Booleans, and eight state variables of which few combinations are reachable.
(set-logic HORN)
(set-info :status sat)

(declare-fun st (Bool Bool Bool Bool Bool Bool Bool Bool) Bool) ; each: waiting critical high low; ticket 0 is none

(define-fun none ((h Bool) (l Bool)) Bool (and (not h) (not l)))
(define-fun less ((h Bool) (l Bool) (h2 Bool) (l2 Bool)) Bool (or (and (not h) h2) (and (= h h2) (not l) l2)))

(assert (st false false false false false false false false))
(assert (forall ((w Bool) (c Bool) (h Bool) (l Bool))
  (=> (and (st false false false false w c h l) (not (and h l))) (st true false (xor h l) (not l) w c h l))))
(assert (forall ((g Bool) (k Bool) (w Bool) (c Bool) (h Bool) (l Bool))
  (=> (and (st true false g k w c h l) (or (none h l) (less g k h l))) (st false true g k w c h l))))
(assert (forall ((g Bool) (k Bool) (w Bool) (c Bool) (h Bool) (l Bool))
  (=> (st false true g k w c h l) (st false false false false w c h l))))
(assert (forall ((w Bool) (c Bool) (h Bool) (l Bool))
  (=> (and (st w c h l false false false false) (not (and h l))) (st w c h l true false (xor h l) (not l)))))
(assert (forall ((g Bool) (k Bool) (w Bool) (c Bool) (h Bool) (l Bool))
  (=> (and (st w c h l true false g k) (or (none h l) (less g k h l))) (st w c h l false true g k))))
(assert (forall ((g Bool) (k Bool) (w Bool) (c Bool) (h Bool) (l Bool))
  (=> (st w c h l false true g k) (st w c h l false false false false))))
(assert (forall ((v Bool) (g Bool) (k Bool) (w Bool) (h Bool) (l Bool)) (=> (st v true g k w true h l) false)))

(check-sat)
