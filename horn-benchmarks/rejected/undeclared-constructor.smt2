; A constructor of a datatype, misspelt; reported with its arguments.
; error: 6:12 unknown constant or function
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun p (List) Bool)
(assert (p (Cons 1 nil)))
(check-sat)
