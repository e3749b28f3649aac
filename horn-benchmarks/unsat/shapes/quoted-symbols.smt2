; Shape: quoted symbols with blanks, keywords and signs; |p| and p are the same symbol, |P| is another.
(set-logic HORN)
(set-info :status unsat)

(declare-fun |let it be| (Int) Bool)
(declare-fun |p of x, y| (Int Int) Bool)
(declare-fun p (Int) Bool)
(declare-fun |P| (Int) Bool)

(assert (forall ((|x + 1| Int)) (=> (= |x + 1| 4) (|let it be| |x + 1|))))
(assert (forall ((|;x| Int)) (=> (|let it be| |;x|) (|p of x, y| |;x| (+ |;x| 1)))))
(assert (forall ((a!b Int) (@.$ Int)) (=> (|p of x, y| a!b @.$) (|p| @.$))))
(assert (forall ((x Int)) (=> (P x) false)))
(assert (=> (p 5) false))

(check-sat)
