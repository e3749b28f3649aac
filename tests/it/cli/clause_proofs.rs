//! Proofs of clauses about arrays, datatypes, functions and operators of arithmetic, checked by
//! `scripts/check-alethe`, which shares no code with the program.

use super::HORN_SOLVE;
use super::certificates::{check_alethe, run_check_alethe};
use crate::tools::tool_found;
use std::fs;
use std::path::{Path, PathBuf};

/// What the axioms below speak of.
const DECLARED: &str = "
(declare-datatypes ((List 0) (Pair 0)) (
    ((nil) (cons (head Int) (tail List)))
    ((pair (first Int) (second List)))))
(declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const c Bool)
(declare-const l List)(declare-const m List)(declare-const p Pair)
(declare-const a (Array Int Int))(declare-const b (Array Int Int))
(declare-fun f (Int Int) Int)
(declare-const v (_ BitVec 4))(declare-const w (_ BitVec 4))
(declare-const u (_ BitVec 2))(declare-const s (_ BitVec 1))(declare-const q Bool)
(declare-datatypes ((Box 1)) ((par (T) ((box (inside T))))))(declare-const k (Box (_ BitVec 2)))
";

/// Clauses by rules for theories: `+` for what is an instance, `-` for what is none.
const STEPS: &str = "
+ eq_transitive (not (= x y)) (not (= x r)) (= y r)
+ eq_transitive (not (= y x)) (= x y)
- eq_transitive (not (= x y)) (= x r)
- eq_transitive (not (= x y)) (not (= r c)) (= x c)
- eq_transitive (= x y) (= x y)
+ eq_congruent (not (= x y)) (not (= r r)) (= (f x r) (f y r))
- eq_congruent (not (= x y)) (= (f x x) (f y r))
- eq_congruent (not (= x y)) (= (f x x) (head y))
- eq_congruent (not (= x y)) (= (forall ((x Int)) x) (forall ((x Int)) y))
+ ite_then (not c) (= (ite c x y) x)
- ite_then c (= (ite c x y) x)
- ite_then (not c) (= (ite c x y) y)
+ ite_else c (= (ite c x y) y)
- ite_else c (= (ite c x y) x)
- ite_else (not c) (= (ite c x y) y)
+ div_bounds (<= (* 3 (div x 3)) x)
+ div_bounds (<= x (+ (* (- 3) (div x (- 3))) 2))
- div_bounds (<= x (+ (* 3 (div x 3)) 1))
- div_bounds (<= (* 3 (div x 2)) x)
- div_bounds (<= (* 0 (div x 0)) x)
- div_bounds (<= (* 3 (div y 3)) x)
- div_bounds (< (* 3 (div x 3)) x)
+ abs_bounds (<= x (abs x))
+ abs_bounds (<= (- x) (abs x))
+ abs_bounds (<= (abs x) x) (<= (abs x) (- x))
- abs_bounds (<= (abs x) x)
- abs_bounds (<= y (abs x))
- abs_bounds (<= (abs x) (- x)) (<= (abs x) (- x))
+ floor_bounds (<= (to_real (to_int r)) r)
+ floor_bounds (< r (+ (to_real (to_int r)) 1.0))
- floor_bounds (<= r (to_real (to_int r)))
- floor_bounds (< r (+ (to_real (to_int r)) 0.5))
+ distinct_values (not (= 1 2))
+ distinct_values (not (= #b0101 (_ bv4 4)))
+ distinct_values (not (= true false))
- distinct_values (not (= #b0101 #x5))
- distinct_values (not (= 1 1.0))
- distinct_values (not (= 1 x))
- distinct_values (= 1 2)
+ dt_distinct (not (= nil (cons x l)))
- dt_distinct (not (= (cons y l) (cons x l)))
- dt_distinct (not (= l (cons x l)))
- dt_distinct (= nil (cons x l))
+ dt_inject:0 (not (= (cons x l) (cons y m))) (= y x)
+ dt_inject:1 (not (= (cons x l) (cons y m))) (= l m)
- dt_inject:1 (not (= (cons x l) (cons y m))) (= x y)
- dt_inject:0 (not (= (cons x l) (pair y m))) (= x y)
- dt_inject:0 (not (= (f x y) (f y x))) (= x y)
+ dt_select (not (= l (cons x m))) (= (tail l) m)
+ dt_select (not (= l (cons x m))) (= x (head l))
- dt_select (not (= l (cons x m))) (= (head l) m)
- dt_select (not (= l (cons x m))) (= (tail m) m)
- dt_select (not (= p (pair x m))) (= (head p) x)
+ dt_test (not (= l (cons x m))) (= ((_ is cons) l) true)
+ dt_test (not (= l nil)) (= false ((_ is cons) l))
- dt_test (not (= l (cons x m))) (= ((_ is cons) l) false)
- dt_test (not (= l (cons x m))) (= ((_ is cons) m) true)
- dt_test (not (= l nil)) (= ((_ is cons) l) true)
- dt_test (not (= l nil)) (= false ((_ is pair) l))
+ dt_acyclic (not (= l (cons x (cons y l))))
+ dt_acyclic (not (= (cons y (cons x l)) l))
- dt_acyclic (not (= l l))
- dt_acyclic (not (= x (f x y)))
- dt_acyclic (not (= l (cons x (tail (cons y l)))))
+ dt_exhaustive ((_ is nil) l) ((_ is cons) l)
- dt_exhaustive ((_ is cons) l)
- dt_exhaustive ((_ is nil) l) ((_ is cons) m)
+ dt_expand (not ((_ is cons) l)) (= l (cons (head l) (tail l)))
+ dt_expand (= (pair (first p) (second p)) p)
- dt_expand (= l (cons (head l) (tail l)))
- dt_expand (not ((_ is nil) l)) (= l (cons (head l) (tail l)))
- dt_expand (not ((_ is cons) m)) (= l (cons (head l) (tail l)))
- dt_expand (not ((_ is cons) l)) (= l (cons (head m) (tail l)))
- dt_expand ((_ is cons) l) (= l (cons (head l) (tail l)))
+ array_same (= (select (store a x y) x) y)
- array_same (= (select (store a x y) y) y)
- array_same (= (select (store a x y) x) x)
+ array_other (= x y) (= (select (store a x r) y) (select a y))
- array_other (= x y) (= (select (store a x r) y) (select b y))
- array_other (= x r) (= (select (store a x r) y) (select a y))
- array_other (not (= x y)) (= (select (store a x r) y) (select a y))
+ array_const (= (select ((as const (Array Int Int)) x) y) x)
- array_const (= (select ((as const (Array Int Int)) x) y) y)
- array_const (= (select (f x x) y) x)
+ array_ext (= a b) (not (= (select a d) (select b d)))
- array_ext (= a b) (not (= (select a x) (select b x)))
- array_ext (= a b) (= (select a d) (select b d))
- array_ext (= l m) (not (= (select a d) (select b d)))
+ la_generic:1,1 (<= (mod x 3) 2) (<= (+ (* 3 (div x 3)) 3) x)
- la_generic:1,1 (<= (mod x 3) 1) (<= (+ (* 3 (div x 3)) 3) x)
+ la_generic:1,1 (not (= (to_real x) 0.0)) (not (<= x (- 1)))
- la_generic:1,1 (not (= (to_real x) 0.0)) (not (<= x 0))
+ bv_gate:g0 (not g0) (= s #b1)
+ bv_gate:g0 g0 (not (= s #b1)) (not q)
- bv_gate:g0 g0 (not (= s #b1)) q
- bv_gate:g0 (not g0) (not q)
+ bv_gate:g1 g1 (not c) q
+ bv_gate:g1 (not g1) c q
- bv_gate:g1 g1 (not c) (not q)
+ bv_gate:g2 (not g2) (not q) (not c) (not g0)
- bv_gate:g2 (not g2) (not q) c (not g0)
+ bv_gate:g3 g3 (not q) (not c)
+ bv_gate:g3 (not g3) q (not (not c))
- bv_gate:g3 (not g3) q
- bv_gate:x (= x x)
+ bv_equal (not (= u #b01)) (= ((_ extract 0 0) u) #b1)
+ bv_equal (not (= #b01 u)) (not (= #b1 ((_ extract 1 1) u)))
- bv_equal (not (= u #b01)) (= ((_ extract 1 1) u) #b1)
+ bv_equal (= u #b01) (not (= ((_ extract 0 0) u) #b1)) (= ((_ extract 1 1) u) #b1)
- bv_equal (= u #b01) (= ((_ extract 1 1) u) #b1)
+ bv_equal (not (= s (ite c #b1 #b0))) (= s #b1) (not c)
- bv_equal (not (= s (ite c #b1 #b0))) (= s #b1) c
+ bv_equal (not (= s (bvand s (ite q #b1 #b0)))) (not (= s #b1)) g0
- bv_equal (not (= s (bvor s (ite q #b1 #b0)))) (not (= s #b1)) (not g0)
+ bv_equal (not (= (inside k) #b01)) (= ((_ extract 0 0) (inside k)) #b1)
- bv_equal (not (= u #b001)) (= ((_ extract 0 0) u) #b1)
- bv_equal (not (= x y)) (= ((_ extract 0 0) x) #b1)
+ bv_order (not (bvult u #b01)) g4
+ bv_order (bvult u #b01) (not g4)
- bv_order (not (bvule u #b01)) g4
- bv_order (not (bvult u #b10)) (= ((_ extract 1 1) u) #b1)
+ bv_order (not (bvult u #b10)) (not (= ((_ extract 1 1) u) #b1))
+ bv_order (bvult u #b10) (= ((_ extract 1 1) u) #b1)
+ bv_order (not (bvslt u #b00)) (= ((_ extract 1 1) u) #b1)
+ bv_order (bvsle #b00 u) (= ((_ extract 1 1) u) #b1)
- bv_order (bvsle #b00 u) (not (= ((_ extract 1 1) u) #b1))
- bv_order (not (bvadd u #b10)) (= ((_ extract 1 1) u) #b1)
+ bv2nat_bounds (<= 0 (bv2nat v))
+ bv2nat_bounds (<= (bv2nat v) 15)
- bv2nat_bounds (<= (bv2nat v) 14)
- bv2nat_bounds (<= 1 (bv2nat v))
+ bv2nat_bit (<= 1 (bv2nat s)) (not (= s #b1))
+ bv2nat_bit (<= (bv2nat s) 0) (= s #b1)
- bv2nat_bit (<= 1 (bv2nat s)) (= s #b1)
- bv2nat_bit (<= 1 (bv2nat u)) (not (= ((_ extract 0 0) u) #b1))
+ bv2nat_sum:u (= (bv2nat u) (+ (bv2nat ((_ extract 0 0) u)) (* 2 (bv2nat ((_ extract 1 1) u)))))
- bv2nat_sum:u (= (bv2nat u) (+ (bv2nat ((_ extract 0 0) u)) (bv2nat ((_ extract 1 1) u))))
- bv2nat_sum:v (= (bv2nat u) (+ (bv2nat ((_ extract 0 0) u)) (* 2 (bv2nat ((_ extract 1 1) u)))))
+ bv2nat_sum:#b10 (= (bv2nat #b10) 2)
+ int2bv_sum:((_,int2bv,1),x) (= (bv2nat ((_ int2bv 1) x)) (- x (* 2 (div x 2))))
+ int2bv_sum:((_,int2bv,1),x) (= (bv2nat ((_ int2bv 1) x)) (mod x 2))
- int2bv_sum:((_,int2bv,1),x) (= (bv2nat ((_ int2bv 1) x)) (- x (* 4 (div x 4))))
- int2bv_sum:u (= (bv2nat ((_ int2bv 1) x)) (mod x 2))
- no_rule (= x x)
";

#[test]
fn axioms_are_what_the_theories_say() {
    if !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let definitions = "(define-fun d () Int (choice ((i Int)) \
         (not (= (select a i) (select b i)))))
         (define-fun g0 () Bool (and (= s #b1) q))
         (define-fun g1 () Bool (xor c q))
         (define-fun g2 () Bool (ite q (not c) g0))
         (define-fun g4 () Bool (and (not (= ((_ extract 0 0) u) #b1)) \
         (not (= ((_ extract 1 1) u) #b1))))
         (define-fun g3 () Bool (or (and q c) (and q true) (and c true)))\n";
    let query = scratch.path().join("query.smt2");
    fs::write(&query, DECLARED).expect("it can be written");
    let steps: Vec<&str> = STEPS.lines().filter(|line| !line.is_empty()).collect();
    let write = |(number, step): (usize, &&str)| {
        let (rule, clause) = step[2..].split_once(' ').expect("a rule and a clause");
        let (rule, args) = rule.split_once(':').unwrap_or((rule, ""));
        let args = match args {
            "" => String::new(),
            args => format!(" :args ({})", args.replace(',', " ")),
        };
        let proof = scratch.path().join(format!("{number:03}.alethe"));
        let text = format!("{definitions}(step t0 (cl {clause}) :rule {rule}{args})\n");
        fs::write(&proof, text).expect("it can be written");
        proof
    };
    let proofs: Vec<PathBuf> = steps.iter().enumerate().map(write).collect();
    let (said, _) = run_check_alethe(&query, &proofs);
    let said: Vec<&str> = said
        .lines()
        .filter(|line| line.contains(".alethe: "))
        .collect();
    assert_eq!(said.len(), steps.len(), "{said:?}");
    for (step, said) in std::iter::zip(steps, said) {
        // What is right is no proof yet: it ends with another clause than the empty one.
        let is_right = said.contains("the last step does not state the empty clause");
        assert_eq!(is_right, step.starts_with("+ "), "{step}: {said}");
    }
}

/// What the checker says of a proof of a query.
fn judge(directory: &Path, query: &str, proof: &str) -> String {
    let [query_file, proof_file] = ["query.smt2", "proof.alethe"].map(|name| directory.join(name));
    fs::write(&query_file, query).expect("it can be written");
    fs::write(&proof_file, proof).expect("it can be written");
    check_alethe(&query_file, &proof_file).0
}

/// Definitions are of new constants, and by what has a meaning already.
#[test]
fn definitions_are_of_new_constants() {
    if !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let differ = "(not (= (select a i) (select b i)))";
    let table = [
        (
            format!("(define-fun d () Int (choice ((i Int)) {differ}))"),
            true,
        ),
        (
            format!("(define-fun x () Int (choice ((i Int)) {differ}))"),
            false,
        ),
        (
            format!("(define-fun d () Int (choice ((i Bool)) {differ}))"),
            false,
        ),
        (
            format!("(define-fun i () Int (choice ((i Int)) {differ}))"),
            false,
        ),
        (format!("(define-fun d () Int {differ})"), false),
        (
            "(define-fun d () Int (choice ((i Int)) (not (= i d))))".to_owned(),
            false,
        ),
        (
            "(define-fun d () Int (choice ((x Int)) (not (= x y))))".to_owned(),
            false,
        ),
        (
            "(define-fun d () Int (choice ((i Int)) (not (= i later))))".to_owned(),
            false,
        ),
        ("(define-fun g () Bool (and c (not c)))".to_owned(), true),
        ("(define-fun c () Bool (and q q))".to_owned(), false),
        ("(define-fun g () Bool (and c g))".to_owned(), false),
        ("(define-fun g () Bool (and c later))".to_owned(), false),
        ("(define-fun g () Bool (not c))".to_owned(), false),
        ("(define-fun g () Int (and c q))".to_owned(), false),
        (
            "(define-fun g () Bool (or (and c q) (and q c) (and q q)))".to_owned(),
            false,
        ),
    ];
    for (definition, is_right) in table {
        let proof = format!("{definition}(step t0 (cl true) :rule true)");
        let said = judge(scratch.path(), DECLARED, &proof);
        let accepted = said.contains("the last step does not state the empty clause");
        assert_eq!(accepted, is_right, "{definition}: {said}");
    }
}

/// Systems with a model, whose clauses must have proofs.
const SYSTEMS: [(&str, &str); 11] = [
    (
        "arrays",
        "(declare-fun p (Int (Array Int Int)) Bool)
        (assert (forall ((a (Array Int Int))) (=> (= a ((as const (Array Int Int)) 7)) (p 0 a))))
        (assert (forall ((i Int) (a (Array Int Int)) (b (Array Int Int)))
            (=> (and (p i a) (= b (store a i 3))) (p (+ i 1) b))))
        (assert (forall ((i Int) (a (Array Int Int)))
            (=> (and (p i a) (not (= (select a (- 1)) 7))) false)))",
    ),
    (
        "equal arrays",
        "(declare-fun p ((Array Int Int) (Array Int Int) Int Int) Bool)
        (assert (forall ((a (Array Int Int)) (i Int) (v Int)) (p a (store a i v) i v)))
        (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (v Int))
            (=> (and (p a b i v) (= (select a i) v) (not (= a b))) false)))",
    ),
    (
        "datatypes",
        "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
        (declare-fun p (List Int) Bool)
        (assert (p nil 0))
        (assert (forall ((l List) (n Int) (x Int)) (=> (and (p l n) (< 0 x)) (p (cons x nil) 1))))
        (assert (forall ((l List) (n Int) (x Int) (m List))
            (=> (and (p l n) (= l (cons x m)) (not (and (< 0 x) (= m nil)))) false)))
        (assert (forall ((l List) (n Int))
            (=> (and (p l n) (not ((_ is nil) l)) (< (head l) 1)) false)))",
    ),
    (
        "a value inside itself",
        "(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (right Tree)))))
        (declare-fun p (Tree Tree) Bool)
        (assert (forall ((s Tree) (t Tree)) (p s (node t s))))
        (assert (forall ((s Tree) (t Tree)) (=> (and (p s t) (= s (node t leaf))) false)))",
    ),
    (
        "two ways to build a value",
        "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
        (declare-fun p (List List) Bool)
        (assert (forall ((l List) (m List)) (=> (= l m) (p l m))))
        (assert (forall ((l List) (m List) (x Int) (y Int) (n List) (o List))
            (=> (and (p l m) (= l (cons x n)) (= m (cons y o)) (not (= n o))) false)))",
    ),
    (
        "structures",
        "(declare-datatypes ((S 0)) (((s (data (Array Int Int)) (size Int)))))
        (declare-fun p (S) Bool)
        (assert (forall ((x S)) (=> (and (= (size x) 1) (= (select (data x) 0) 5)) (p x))))
        (assert (forall ((x S) (y S))
            (=> (and (p x) (= y (s (store (data x) (size x) 6) (+ (size x) 1)))
                (= (size x) 1) (not (= (select (data y) 0) 5))) false)))",
    ),
    (
        "quotients",
        "(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int)) (=> (< 10 x) (p x (div x 4)))))
        (assert (forall ((x Int) (q Int)) (=> (and (p x q) (not (= (mod x 4) (- x (* 4 q))))) false)))
        (assert (forall ((x Int) (q Int)) (=> (and (p x q) (< q 2)) false)))",
    ),
    (
        "choices",
        "(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (p (ite (< x y) y x) (abs (- x y)))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (= z (ite (< y 0) 1 0)) (< 0 z)) false)))",
    ),
    (
        "functions",
        "(declare-datatypes ((Box 0)) (((box (in Int)))))
        (declare-fun p ((Array Int Box) Int Int) Bool)
        (assert (forall ((a (Array Int Box)) (i Int) (j Int)) (=> (= i j) (p a i j))))
        (assert (forall ((a (Array Int Box)) (i Int) (j Int))
            (=> (and (p a i j) (not (= (in (select a i)) (in (select a j))))) false)))",
    ),
    (
        "bit-vectors",
        "(declare-fun p ((_ BitVec 8) (_ BitVec 8)) Bool)
        (assert (forall ((x (_ BitVec 8))) (=> (bvult x #x20) (p x (bvshl x #x01)))))
        (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
            (=> (and (p x y) (bvult x #x7f)) (p (bvadd x #x01) (bvadd y #x02)))))
        (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
            (=> (and (p x y) (not (= (bvmul #x06 x) (bvadd y (bvmul x #x04))))) false)))
        (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (c Bool))
            (=> (and (p x y) (bvslt (bvsdiv (ite c x y) #x02) (bvneg #x50))) false)))",
    ),
    (
        "numbers of bit-vectors",
        "(declare-fun p ((_ BitVec 4) Int) Bool)
        (assert (forall ((x (_ BitVec 4)) (n Int)) (=> (= x ((_ int2bv 4) n)) (p x (mod n 16)))))
        (assert (forall ((x (_ BitVec 4)) (n Int)) (=> (and (p x n) (not (= (bv2nat x) n))) false)))
        (assert (forall ((x (_ BitVec 4)) (n Int))
            (=> (and (p x n) (< (bv2nat (bvand x #x1)) 0)) false)))
        (assert (forall ((x (_ BitVec 4)) (n Int))
            (=> (and (p x n) (= ((_ extract 0 0) x) #b1) (= (mod n 2) 0)) false)))",
    ),
];

/// The rules that the proofs of these systems use, beside those of connectives and sums.
const USED: [&str; 21] = [
    "bv_gate",
    "bv_order",
    "bv_equal",
    "bv2nat_bounds",
    "bv2nat_bit",
    "bv2nat_sum",
    "int2bv_sum",
    "eq_transitive",
    "eq_congruent",
    "ite_else",
    "abs_bounds",
    "div_bounds",
    "distinct_values",
    "dt_distinct",
    "dt_inject",
    "dt_select",
    "dt_test",
    "dt_acyclic",
    "array_other",
    "array_const",
    "array_ext",
];

#[test]
fn clauses_of_each_theory_have_proofs() {
    if !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let mut all = String::new();
    for (name, clauses) in SYSTEMS {
        let directory = scratch.path().join(name.replace(' ', "-"));
        let path = directory.to_str().expect("a path that is text");
        let system = format!("(set-logic HORN)\n{clauses}\n(check-sat)\n");
        let args = ["--solver", "native", "--certificate", path];
        HORN_SOLVE.check(&args, &system, "sat\n", "", 0);
        for clause in 0..clauses.matches("(assert").count() {
            let [query, proof] =
                ["smt2", "alethe"].map(|end| directory.join(format!("proof-{clause}.{end}")));
            let text = fs::read_to_string(&proof);
            let certificate = fs::read_to_string(directory.join("certificate.json"));
            let text = text.unwrap_or_else(|_| panic!("{name} {clause}: {certificate:?}"));
            let judged = check_alethe(&query, &proof);
            assert_eq!(
                judged,
                ("valid\n".to_owned(), true),
                "{name} {clause}: {text}"
            );
            all.push_str(&text);
        }
    }
    for rule in USED {
        let is_used = all.contains(&format!(":rule {rule}"));
        assert!(is_used, "{rule} is not used in\n{all}");
    }
}
