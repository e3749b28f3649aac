; The shape of the live-variable example of "Craig vs. Newton in Software Model Checking" (ESEC/FSE 2017):
; k = 0 and y > k before a loop whose body overwrites k, so that k is dead at the loop head.
; Hard for predicates taken from strongest postconditions: k = 0 /\ y > k holds at the head at first and is not
; invariant; projecting the dead k away leaves y > 0, which is.
(set-logic HORN)
(set-info :status sat)

(declare-fun head (Int Int) Bool) ; k y

(assert (forall ((k Int) (y Int)) (=> (and (= k 0) (> y k)) (head k y))))

(assert (forall ((k Int) (y Int) (k1 Int) (y1 Int))
  (=> (and (head k y) (= k1 1) (= y1 (+ y k1))) (head k1 y1))))

(assert (forall ((k Int) (y Int)) (=> (and (head k y) (not (> y 0))) false)))

(check-sat)
