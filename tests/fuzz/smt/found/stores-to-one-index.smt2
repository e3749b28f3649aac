; Three stores to one index are fewer than the three indices: the constant arrays have one element.
(set-logic ALL)
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-const i2 Int)
(declare-const u1 (Array Colour Int))
(assert (= (ite (< i2 1) (store ((as const (Array Colour Int)) 3) red 1) ((as const (Array Colour Int)) 0)) (store u1 red 1)))
(assert (= (store ((as const (Array Colour Int)) 0) red i2) (ite (= ((as const (Array Colour Int)) 0) (store u1 green i2)) u1 (store ((as const (Array Colour Int)) 0) red 1))))
(check-sat)
