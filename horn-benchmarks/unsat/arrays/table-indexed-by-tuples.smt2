; A table whose indices are tuples with an array inside, as hashes of byte arrays are encoded, in a tuple of tables: the same index
; gives the same entry, but not after it was written.
; Z3 refuses the two datatypes in one declaration.
(set-logic HORN)
(set-info :status unsat)

(declare-datatypes ((Bytes 0)) (((bytes (content (Array Int Int)) (length Int)))))
(declare-datatypes ((Tables 0)) (((tables (hash (Array Bytes Int)) (other (Array Bytes Int))))))
(declare-fun state (Tables Bytes Int) Bool)

(assert (forall ((t Tables) (b Bytes) (n Int)) (=> (= n (select (hash t) b)) (state t b n))))
(assert (forall ((t Tables) (b Bytes) (c Bytes) (n Int))
  (=> (and (state t b n) (= c (bytes (store (content b) (length b) 1) (length b))))
      (state (tables (store (hash t) c (+ n 1)) (other t)) b n))))
(assert (forall ((t Tables) (b Bytes) (n Int)) (=> (and (state t b n) (not (= n (select (hash t) b)))) false)))

(check-sat)
