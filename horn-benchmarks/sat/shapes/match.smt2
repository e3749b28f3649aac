; Shape: match without a rest pattern, nested, in a body.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun p (List Int) Bool)

(assert (p nil 0))
(assert (forall ((l List) (n Int)) (=> (p l n) (p (cons n l) (+ n 1)))))
(assert (forall ((l List) (n Int))
  (=> (and (p l n) (= n 1) (match l ((nil true) ((cons x rest) (match rest ((nil (not (= x 0))) ((cons y z) true)))))))
      false)))

(check-sat)
