; A datatype as a tagged union of messages: only an answer carries a negative number, and a request never does.
; Easy; several constructors with arguments, told apart by testers.
(set-logic HORN)
(set-info :status sat)

(declare-datatype Message ((request (id Int)) (answer (for Int) (code Int)) (silence)))
(declare-fun seen (Message) Bool)

(assert (seen silence))
(assert (forall ((m Message)) (=> (and (seen m) ((_ is silence) m)) (seen (request 1)))))
(assert (forall ((m Message)) (=> (and (seen m) ((_ is request) m)) (seen (answer (id m) (- (id m)))))))
(assert (forall ((m Message)) (=> (and (seen m) ((_ is answer) m)) (seen (request (+ (for m) 1))))))
(assert (forall ((m Message)) (=> (and (seen m) ((_ is request) m) (< (id m) 0)) false)))

(check-sat)
