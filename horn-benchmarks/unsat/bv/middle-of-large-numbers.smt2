; The middle of an interval as (lo + hi) / 2 falls below lo when the sum overflows: the classical binary search error.
(set-logic HORN)
(set-info :status unsat)

(declare-fun search ((_ BitVec 16) (_ BitVec 16)) Bool)

(assert (forall ((n (_ BitVec 16))) (=> (bvugt n #x0000) (search #x0000 n))))
(assert (forall ((lo (_ BitVec 16)) (hi (_ BitVec 16)) (m (_ BitVec 16)))
  (=> (and (search lo hi) (bvult lo hi) (= m (bvudiv (bvadd lo hi) #x0002))) (search m hi))))
(assert (forall ((lo (_ BitVec 16)) (hi (_ BitVec 16)) (m (_ BitVec 16)))
  (=> (and (search lo hi) (bvult lo hi) (= m (bvudiv (bvadd lo hi) #x0002)) (bvult m lo)) false)))

(check-sat)
