; A product of bit-vectors as an argument in one part of three: interpolation knew no value of it
; once the next part was encoded, and took the parts for satisfiable.
(set-logic ALL)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(declare-const z (_ BitVec 4))
(declare-fun f ((_ BitVec 4)) Int)
(assert (= (f (bvmul x y)) 1))
(assert (and (= (f z) 2) (= x #x2)))
(assert (and (= y #x3) (= z #x6)))
(check-sat)
