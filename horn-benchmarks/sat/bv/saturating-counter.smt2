; A counter of 16 bits goes up in steps of at most 15 and stays below 4096; signed and unsigned comparisons are mixed.
; Needs a bound that is not among the values reached at first.
(set-logic HORN)
(set-info :status sat)

(declare-fun count ((_ BitVec 16)) Bool)

(assert (count #x0000))
(assert (forall ((x (_ BitVec 16)) (d (_ BitVec 16)))
  (=> (and (count x) (bvult x #x0ff0) (bvule d #x000f)) (count (bvadd x d)))))
(assert (forall ((x (_ BitVec 16))) (=> (and (count x) (bvslt #x0fff x)) false)))
(assert (forall ((x (_ BitVec 16))) (=> (and (count x) (bvslt x #x0000)) false)))

(check-sat)
