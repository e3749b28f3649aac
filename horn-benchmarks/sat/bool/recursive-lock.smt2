; A recursive procedure that takes a lock, perhaps calls itself and releases it; a call with the lock held is an error,
; and the lock is always released before the call.
; Summaries over Booleans: (held before, held after).
(set-logic HORN)
(set-info :status sat)

(declare-fun proc (Bool Bool) Bool)

(assert (forall ((h Bool)) (=> (not h) (proc h h)))) ; takes and releases, no call
(assert (forall ((h Bool) (m Bool) (r Bool)) (=> (and (not h) (= m false) (proc m r)) (proc h r))))
(assert (forall ((h Bool) (m Bool)) (=> (and (proc h m) (or h m)) false)))

(check-sat)
