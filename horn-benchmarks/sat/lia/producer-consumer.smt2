; A bounded buffer of unknown capacity: produced - consumed = stored, and stored stays between 0 and the capacity.
; Hard a little: the counters are unbounded, the relation between three of them is the whole proof.
; Invariant: stored = produced - consumed and 0 <= stored <= capacity.
(set-logic HORN)
(set-info :status sat)

(declare-fun buffer (Int Int Int Int) Bool) ; capacity produced consumed stored

(assert (forall ((k Int)) (=> (> k 0) (buffer k 0 0 0))))
(assert (forall ((k Int) (p Int) (c Int) (s Int)) (=> (and (buffer k p c s) (< s k)) (buffer k (+ p 1) c (+ s 1)))))
(assert (forall ((k Int) (p Int) (c Int) (s Int)) (=> (and (buffer k p c s) (> s 0)) (buffer k p (+ c 1) (- s 1)))))
(assert (forall ((k Int) (p Int) (c Int) (s Int)) (=> (and (buffer k p c s) (or (< p c) (> (- p c) k))) false)))

(check-sat)
