; One clause with 50 body atoms of the same predicate: 50 numbers >= 0 have no negative sum.
; Hard for engines whose work per clause is exponential in the number of body atoms.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int) Bool)

(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 3)))))
(assert (forall (
    (x1 Int) (x2 Int) (x3 Int) (x4 Int) (x5 Int) (x6 Int) (x7 Int) (x8 Int) (x9 Int) (x10 Int) (x11 Int)
    (x12 Int) (x13 Int) (x14 Int) (x15 Int) (x16 Int) (x17 Int) (x18 Int) (x19 Int) (x20 Int) (x21 Int)
    (x22 Int) (x23 Int) (x24 Int) (x25 Int) (x26 Int) (x27 Int) (x28 Int) (x29 Int) (x30 Int) (x31 Int)
    (x32 Int) (x33 Int) (x34 Int) (x35 Int) (x36 Int) (x37 Int) (x38 Int) (x39 Int) (x40 Int) (x41 Int)
    (x42 Int) (x43 Int) (x44 Int) (x45 Int) (x46 Int) (x47 Int) (x48 Int) (x49 Int) (x50 Int))
  (=> (and
        (p x1) (p x2) (p x3) (p x4) (p x5) (p x6) (p x7) (p x8) (p x9) (p x10) (p x11) (p x12) (p x13) (p x14)
        (p x15) (p x16) (p x17) (p x18) (p x19) (p x20) (p x21) (p x22) (p x23) (p x24) (p x25) (p x26)
        (p x27) (p x28) (p x29) (p x30) (p x31) (p x32) (p x33) (p x34) (p x35) (p x36) (p x37) (p x38)
        (p x39) (p x40) (p x41) (p x42) (p x43) (p x44) (p x45) (p x46) (p x47) (p x48) (p x49) (p x50)
        (< (+
           x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20 x21 x22 x23 x24 x25 x26 x27
           x28 x29 x30 x31 x32 x33 x34 x35 x36 x37 x38 x39 x40 x41 x42 x43 x44 x45 x46 x47 x48 x49 x50) 0))
      false)))

(check-sat)
