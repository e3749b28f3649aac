; A growing array of items, each a tuple of a row and its length, as front ends of Solidity encode dynamic arrays of them: no item
; below the length of the outer array has a negative length.
; The element that is asked about is an argument.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Row 0)) (((row (cells (Array Int Int)) (size Int)))))
(declare-datatypes ((Rows 0)) (((rows (items (Array Int Row)) (count Int)))))
(declare-fun state (Rows Int) Bool) ; the array, an index

(assert (forall ((k Int))
  (=> (>= k 0) (state (rows ((as const (Array Int Row)) (row ((as const (Array Int Int)) 0) 0)) 0) k))))
(assert (forall ((r Rows) (k Int))
  (=> (state r k)
      (state (rows (store (items r) (count r) (row ((as const (Array Int Int)) 0) 0)) (+ (count r) 1)) k))))
(assert (forall ((r Rows) (i Int) (k Int) (old Row) (new Row))
  (=> (and (state r k) (<= 0 i) (< i (count r)) (= old (select (items r) i))
           (= (cells new) (store (cells old) (size old) 7)) (= (size new) (+ (size old) 1)))
      (state (rows (store (items r) i new) (count r)) k))))
(assert (forall ((r Rows) (k Int)) (=> (and (state r k) (< k (count r)) (< (size (select (items r) k)) 0)) false)))

(check-sat)
