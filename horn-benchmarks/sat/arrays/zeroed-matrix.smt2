; The rows of a matrix, an array of arrays, are set to zero place by place, each row up to the width.
; Hard: a quantifier over rows and columns, and arrays whose elements are arrays.
(set-logic HORN)
(set-info :status sat)

(declare-fun rows (Int Int Int (Array Int (Array Int Int))) Bool)

(assert (forall ((w Int) (m (Array Int (Array Int Int)))) (=> (<= 0 w) (rows 0 0 w m))))
(assert (forall ((i Int) (j Int) (w Int) (m (Array Int (Array Int Int))))
  (=> (and (rows i j w m) (< j w)) (rows i (+ j 1) w (store m i (store (select m i) j 0))))))
(assert (forall ((i Int) (j Int) (w Int) (m (Array Int (Array Int Int))))
  (=> (and (rows i j w m) (>= j w)) (rows (+ i 1) 0 w m))))
(assert (forall ((i Int) (j Int) (w Int) (x Int) (y Int) (m (Array Int (Array Int Int))))
  (=> (and (rows i j w m) (<= 0 x) (< x i) (<= 0 y) (< y w) (not (= (select (select m x) y) 0))) false)))

(check-sat)
