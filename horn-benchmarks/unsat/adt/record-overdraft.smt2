; The accounts of sat/adt/record-account without the check of the balance: one of them can become negative.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Bank 0)) (((bank (left Int) (right Int)))))
(declare-fun st (Bank) Bool)

(assert (st (bank 60 40)))
(assert (forall ((b Bank) (x Int)) (=> (and (st b) (<= 0 x 50)) (st (bank (- (left b) x) (+ (right b) x))))))
(assert (forall ((b Bank)) (=> (and (st b) (< (left b) 0)) false)))

(check-sat)
