; A record with two fields, updated together: the total of both accounts never changes.
; Hard a little: the invariant is about selectors of one argument.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Bank 0)) (((bank (left Int) (right Int)))))
(declare-fun st (Bank) Bool)

(assert (st (bank 60 40)))
(assert (forall ((b Bank) (x Int)) (=> (and (st b) (<= 0 x (left b))) (st (bank (- (left b) x) (+ (right b) x))))))
(assert (forall ((b Bank) (x Int)) (=> (and (st b) (<= 0 x (right b))) (st (bank (+ (left b) x) (- (right b) x))))))
(assert (forall ((b Bank)) (=> (and (st b) (not (= (+ (left b) (right b)) 100))) false)))

(check-sat)
