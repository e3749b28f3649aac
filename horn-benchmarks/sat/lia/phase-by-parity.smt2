; i counts; on even i the counter a goes up, on odd i the counter b: they differ by at most one.
; Hard because the relation a - b depends on the parity of i.
(set-logic HORN)
(set-info :status sat)

(declare-fun loop (Int Int Int) Bool)

(assert (loop 0 0 0))
(assert (forall ((i Int) (a Int) (b Int)) (=> (and (loop i a b) (= (mod i 2) 0)) (loop (+ i 1) (+ a 1) b))))
(assert (forall ((i Int) (a Int) (b Int)) (=> (and (loop i a b) (= (mod i 2) 1)) (loop (+ i 1) a (+ b 1)))))
(assert (forall ((i Int) (a Int) (b Int)) (=> (and (loop i a b) (or (< a b) (> a (+ b 1)))) false)))

(check-sat)
