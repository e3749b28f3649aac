; Z3's rule dialect with Boolean and real arguments: a lamp that toggles is on at time 1.5.
(set-info :status sat)

(declare-rel lamp (Bool Real))
(declare-rel on ())
(declare-var b Bool)
(declare-var t Real)

(rule (lamp false 0.0))
(rule (=> (lamp b t) (lamp (not b) (+ t 0.5))))
(rule (=> (lamp true 1.5) on))

(query on)
