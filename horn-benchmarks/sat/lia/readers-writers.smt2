; Readers and writers with a parameterised number k of tokens: a reader takes one, the writer takes all k.
; Hard a little: the invariant readers + k * writers + free = k has a product unless writers is split into 0 and 1.
; Invariant: writers = 0 /\ readers + free = k /\ readers, free >= 0, or writers = 1 /\ readers = free = 0; k >= 1.
(set-logic HORN)
(set-info :status sat)

(declare-fun lock (Int Int Int Int) Bool) ; k readers writers free

(assert (forall ((k Int)) (=> (>= k 1) (lock k 0 0 k))))
(assert (forall ((k Int) (r Int) (w Int) (f Int)) (=> (and (lock k r w f) (>= f 1)) (lock k (+ r 1) w (- f 1)))))
(assert (forall ((k Int) (r Int) (w Int) (f Int)) (=> (and (lock k r w f) (>= r 1)) (lock k (- r 1) w (+ f 1)))))
(assert (forall ((k Int) (r Int) (w Int) (f Int)) (=> (and (lock k r w f) (= f k)) (lock k r (+ w 1) 0))))
(assert (forall ((k Int) (r Int) (w Int) (f Int)) (=> (and (lock k r w f) (>= w 1)) (lock k r (- w 1) k))))
(assert (forall ((k Int) (r Int) (w Int) (f Int)) (=> (and (lock k r w f) (>= w 1) (>= r 1)) false)))
(assert (forall ((k Int) (r Int) (w Int) (f Int)) (=> (and (lock k r w f) (>= w 2)) false)))

(check-sat)
