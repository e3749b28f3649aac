; Z3's rule dialect and a clause with two atoms: McCarthy's 91 function gives 91 for every argument up to 101.
(set-info :status unsat)

(declare-rel mc (Int Int))
(declare-rel wrong ())
(declare-var n Int)
(declare-var t Int)
(declare-var r Int)

(rule (=> (> n 100) (mc n (- n 10))))
(rule (=> (and (<= n 100) (mc (+ n 11) t) (mc t r)) (mc n r)))
(rule (=> (and (mc n r) (<= n 101) (not (= r 91))) wrong))

(query wrong)
