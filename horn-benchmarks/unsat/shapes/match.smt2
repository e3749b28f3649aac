; Shape: match over the constructors of a datatype, with a variable pattern for the rest.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun p (List Int) Bool)

(assert (forall ((l List) (n Int)) (=> (= n (match l ((nil 0) ((cons x rest) (+ x 1))))) (p l n))))
(assert (forall ((l List)) (=> (and (p l 5) (match l ((nil false) (other (= (tl other) nil))))) false)))

(check-sat)
