; A swap by adding and subtracting (no third variable) destroys the value when both indices are the same cell.
; Refuted only for i = j, which the solver has to choose.
(set-logic HORN)
(set-info :status unsat)

(declare-fun before ((Array Int Int) Int Int) Bool)
(declare-fun after ((Array Int Int) (Array Int Int) Int Int) Bool)

(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (before a i j)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (d (Array Int Int)) (i Int) (j Int))
  (=> (and (before a i j)
           (= b (store a i (+ (select a i) (select a j))))
           (= c (store b j (- (select b i) (select b j))))
           (= d (store c i (- (select c i) (select c j)))))
      (after a d i j))))
(assert (forall ((a (Array Int Int)) (d (Array Int Int)) (i Int) (j Int))
  (=> (and (after a d i j) (not (= (select d i) (select a j)))) false)))

(check-sat)
