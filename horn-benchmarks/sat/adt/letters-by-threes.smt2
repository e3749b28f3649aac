; Two grammars of words: the number of `a` is a multiple of three in one, and one more in the other.
; sat by an automaton that counts to three.
(set-logic HORN)
(set-info :status sat)

(declare-datatypes ((Letter 0)) (((a) (b))))
(declare-datatypes ((Word 0)) (((empty) (letter (first Letter) (rest Word)))))
(declare-fun threes (Word) Bool)
(declare-fun one-more (Word) Bool)

(assert (threes empty))
(assert (forall ((w Word)) (=> (threes w) (threes (letter b w)))))
(assert (forall ((w Word)) (=> (threes w) (threes (letter a (letter b (letter a (letter a w))))))))
(assert (one-more (letter a empty)))
(assert (forall ((w Word)) (=> (one-more w) (one-more (letter b w)))))
(assert (forall ((w Word))
  (=> (one-more w) (one-more (letter a (letter a (letter b (letter a w))))))))
(assert (forall ((w Word)) (=> (and (threes w) (one-more w)) false)))

(check-sat)
