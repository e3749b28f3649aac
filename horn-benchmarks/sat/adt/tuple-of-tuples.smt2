; Two accounts, tuples of a balance and whether the account is open, in one tuple: a transfer keeps the sum, a closed account
; keeps its balance. The condition chooses between tuples.
; Easy once tuples are taken apart: then it is linear arithmetic.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Account 0)) (((account (balance Int) (open Bool)))))
(declare-datatypes ((Bank 0)) (((bank (left Account) (right Account)))))
(declare-fun state (Bank) Bool)

(assert (state (bank (account 50 true) (account 50 true))))
(assert (forall ((b Bank) (c Bank) (n Int))
  (=> (and (state b) (open (left b)) (open (right b))
           (= c (bank (account (- (balance (left b)) n) true) (account (+ (balance (right b)) n) true))))
      (state c))))
(assert (forall ((b Bank) (c Bank) (which Bool))
  (=> (and (state b)
           (= c (ite which
                     (bank (account (balance (left b)) false) (right b))
                     (bank (left b) (account (balance (right b)) false)))))
      (state c))))
(assert (forall ((b Bank)) (=> (and (state b) (not (= (+ (balance (left b)) (balance (right b))) 100))) false)))

(check-sat)
