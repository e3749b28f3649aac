; Both constant arrays are read at the index of which the arrays may differ: neither store is to it.
(set-logic ALL)
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-const w0 (Array Bool Colour))
(declare-const b1 Bool)
(assert (= w0 (store ((as const (Array Bool Colour)) green) false red)))
(assert (= ((as const (Array Bool Colour)) red) (store w0 b1 red)))
(check-sat-assuming ((= ((as const (Array Bool Colour)) red) (store ((as const (Array Bool Colour)) green) false red))))
(check-sat-assuming ((not b1)))
