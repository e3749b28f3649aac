; The condition is an equation with an application: a definition beside the atom of equality.
(set-logic ALL)
(declare-sort U 0)
(declare-const e1 U)
(declare-fun g (U Int) U)
(declare-const v2_1 (_ BitVec 2))
(declare-const v2_0 (_ BitVec 2))
(check-sat-assuming ((= (ite (= e1 (g e1 0)) (concat (_ bv4 3) ((_ extract 0 0) v2_1)) (concat v2_0 v2_0)) (_ bv1 4))))
