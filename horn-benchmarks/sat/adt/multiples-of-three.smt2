; No two numbers that follow each other are multiples of three.
; sat by a tree automaton with three states.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun multiple (Nat) Bool)

(assert (multiple zero))
(assert (forall ((x Nat)) (=> (multiple x) (multiple (succ (succ (succ x)))))))
(assert (forall ((x Nat)) (=> (and (multiple x) (multiple (succ x))) false)))

(check-sat)
