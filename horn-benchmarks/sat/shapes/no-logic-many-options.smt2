; Shape: no set-logic; options and information that a solver may ignore; strings with doubled quotes; comments everywhere.
(set-info :smt-lib-version 2.6)
(set-info :source |a quoted symbol that
  runs over two lines ; and holds no comment|)
(set-info :notes "a string with ""quotes"" and a ; semicolon")
(set-option :produce-models true)
(set-option :timeout 100000)
(set-info :status sat) ; a comment after a command
(declare-fun ; a comment inside a command
  p (Int) Bool)
(assert (p 0))(assert (forall ((x Int)) ; (
  (=> (p x) (p (- x 1)))))
(assert (forall ((x Int)) (=> (p x) (<= x 0))))
(check-sat)
(exit)
this is not read any more
