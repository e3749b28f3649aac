; The second bits of both sides are a literal and its negation, which need not be decided.
(set-logic ALL)
(declare-const x (_ BitVec 4))
(check-sat-assuming ((not (= x ((_ zero_extend 2) ((_ extract 1 0) (bvadd x (_ bv2 4))))))))
(check-sat-assuming ((= x ((_ zero_extend 2) ((_ extract 1 0) (bvadd x (_ bv2 4)))))))
