; Shape: abbreviations of sorts, with parameters.
(set-logic HORN)
(set-info :status sat)

(define-sort Index () Int)
(define-sort Table (T) (Array Index T))
(declare-fun p ((Table Bool) Index) Bool)

(assert (forall ((t (Table Bool)) (i Index)) (=> (select t i) (p t i))))
(assert (forall ((t (Array Int Bool)) (i Int)) (=> (p t i) (p (store t (+ i 1) true) (+ i 1)))))
(assert (forall ((t (Table Bool)) (i Index)) (=> (and (p t i) (not (select t i))) false)))

(check-sat)
