; No declaration and no clause at all. Satisfied by the empty model.
(set-logic HORN)
(set-info :status sat)



(check-sat)
