; Predicates without any clause: a model must still say something about each of them.
(set-logic HORN)
(set-info :status sat)

(declare-fun p (Int Int) Bool)
(declare-fun q () Bool)

(check-sat)
