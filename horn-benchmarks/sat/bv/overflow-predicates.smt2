; Overflow predicates of SMT-LIB 2.7 say what sums and products with more bits say.
; sat with the invariant "true": no vectors of 4 bits make a difference.
(set-logic HORN)
(set-info :status sat)

(declare-fun pair ((_ BitVec 4) (_ BitVec 4)) Bool)

(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (pair x y)))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4)))
  (=> (and (pair x y)
           (or (not (= (bvnego x) (= x #x8)))
               (not (= (bvuaddo x y) (bvult #b01111 (bvadd (concat #b0 x) (concat #b0 y)))))
               (not (= (bvsaddo x y)
                       (not (= ((_ sign_extend 1) (bvadd x y))
                               (bvadd ((_ sign_extend 1) x) ((_ sign_extend 1) y))))))
               (not (= (bvusubo x y) (bvult x y)))
               (not (= (bvssubo x y)
                       (not (= ((_ sign_extend 1) (bvsub x y))
                               (bvsub ((_ sign_extend 1) x) ((_ sign_extend 1) y))))))
               (not (= (bvumulo x y)
                       (bvult #x0f (bvmul ((_ zero_extend 4) x) ((_ zero_extend 4) y)))))
               (not (= (bvsmulo x y)
                       (not (= ((_ sign_extend 4) (bvmul x y))
                               (bvmul ((_ sign_extend 4) x) ((_ sign_extend 4) y))))))
               (not (= (bvsdivo x y) (and (= x #x8) (= y #xf))))))
      false)))

(check-sat)
