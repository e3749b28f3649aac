; An enumeration as a datatype: three colours in their order, and never red directly after green.
; Easy: finitely many values; a datatype without arguments.
(set-logic HORN)
(set-info :status sat)

(declare-datatype Colour ((red) (green) (yellow)))
(declare-fun light (Colour Colour) Bool) ; before, now

(assert (light red green))
(assert (forall ((p Colour)) (=> (light p green) (light green yellow))))
(assert (forall ((p Colour)) (=> (light p yellow) (light yellow red))))
(assert (forall ((p Colour)) (=> (light p red) (light red green))))
(assert (=> (light green red) false))

(check-sat)
