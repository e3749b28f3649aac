; A red-black tree has at least as many nodes as its black height says.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Colour 0) (RB 0)) (((red) (black)) ((empty) (node (colour Colour) (left RB) (label Int) (right RB)))))
(declare-fun valid (RB Colour Int) Bool)
(declare-fun size (RB Int) Bool)

(assert (valid empty black 0))
(assert (forall ((l RB) (x Int) (r RB) (h Int)) (=> (and (valid l black h) (valid r black h)) (valid (node red l x r) red h))))
(assert (forall ((l RB) (x Int) (r RB) (h Int) (c Colour) (d Colour)) (=> (and (valid l c h) (valid r d h)) (valid (node black l x r) black (+ h 1)))))
(assert (size empty 0))
(assert (forall ((k Colour) (l RB) (x Int) (r RB) (m Int) (n Int)) (=> (and (size l m) (size r n)) (size (node k l x r) (+ m n 1)))))
(assert (forall ((t RB) (c Colour) (h Int) (n Int)) (=> (and (valid t c h) (size t n) (< n h)) false)))

(check-sat)
