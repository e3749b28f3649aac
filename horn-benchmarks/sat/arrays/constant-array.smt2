; A constant array of zeros in which single cells are increased: no cell is ever negative, asked at one index.
; Hard a little: (as const) as the start, and an invariant about one cell under writes to any cell.
(set-logic HORN)
(set-info :status sat)

(declare-fun tab ((Array Int Int) Int) Bool) ; a k

(assert (forall ((k Int)) (tab ((as const (Array Int Int)) 0) k)))
(assert (forall ((a (Array Int Int)) (k Int) (i Int)) (=> (tab a k) (tab (store a i (ite (< (select a i) 0) 0 (+ (select a i) 1))) k))))
(assert (forall ((a (Array Int Int)) (k Int)) (=> (and (tab a k) (< (select a k) 0)) false)))

(check-sat)
