//! Functions, arrays and datatypes, alone and together.

use super::session::check_script;

/// Formulas over these constants, asserted together, have this verdict, in all ways of working.
#[track_caller]
fn check_over(declarations: &str, formulas: &str, expected: &str) {
    let script = format!("{declarations}(assert (and true {formulas}))(check-sat)");
    check_script(&script, &[expected]);
}

#[test]
fn congruence_of_functions() {
    for (formulas, verdict) in [
        ("(= u v) (not (= (g u) (g v)))", "unsat"),
        (
            "(= (g (g (g u))) u) (= (g (g (g (g (g u))))) u) (not (= (g u) u))",
            "unsat",
        ),
        ("(= (g (g (g u))) u) (not (= (g u) u))", "sat"),
        ("(= (f x) y) (= x z) (not (= (f z) y))", "unsat"),
        ("(< (f x) (f y)) (<= x y) (<= y x)", "unsat"),
        ("(< (f x) (f y)) (<= x y)", "sat"),
        ("(= (f (+ x 1)) 2) (= (f (- y 1)) 3) (= (+ x 2) y)", "unsat"),
        (
            "(h u 1.0) (not (h v (+ r s))) (= u v) (= r 0.5) (= s 0.5)",
            "unsat",
        ),
        (
            "(= (k (< x y)) 1) (= (k (not (< x y))) 2) (= (k true) (k false))",
            "unsat",
        ),
        (
            "(distinct (f 0) (f 1) (f 2)) (<= 0 x 2) (= (f x) 7) (= (f 0) 1) (= (f 1) 2)",
            "sat",
        ),
        (
            "(<= 0 (f x) 1) (<= 0 (f y) 1) (<= 0 (f z) 1) (distinct (f x) (f y)) \
             (distinct (f y) (f z)) (distinct (f x) (f z))",
            "unsat",
        ),
    ] {
        check_over("", formulas, verdict);
    }
}

#[test]
fn arrays_are_read_and_written() {
    let declarations = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))\
         (declare-const c (Array Int Int))(declare-const m (Array Int (Array Int Int)))\
         (declare-const n (Array Int (Array Int Int)))(declare-const q1 (Array Bool Int))\
         (declare-const q2 (Array Bool Int))(declare-const bits (Array Int Bool))\
         (declare-const i Int)(declare-const j Int)";
    for (formulas, verdict) in [
        ("(= b (store a i x)) (not (= (select b i) x))", "unsat"),
        // Indices that differ by themselves: no literal of the lemma says so.
        (
            "(= (select (store ((as const (Array Bool Int)) 0) (not (< i j)) (- 1)) (< i j)) 1)",
            "unsat",
        ),
        (
            "(= (select (store ((as const (Array Int Int)) 0) (+ i 1) (- 1)) i) 1)",
            "unsat",
        ),
        (
            "(= b (store a i x)) (not (= i j)) (not (= (select b j) (select a j)))",
            "unsat",
        ),
        (
            "(= b (store a i x)) (not (= (select b j) (select a j)))",
            "sat",
        ),
        (
            "(= (store a i x) (store b i x)) (not (= (select a j) (select b j))) (not (= i j))",
            "unsat",
        ),
        (
            "(= (store a i x) (store b j y)) (not (= i j)) (not (= (select a j) y))",
            "unsat",
        ),
        (
            "(not (= a b)) (= (store a i x) (store b i x)) (= (select a i) (select b i))",
            "unsat",
        ),
        (
            "(not (= (store (store a i x) j y) (store (store a j y) i x)))",
            "sat",
        ),
        (
            "(not (= (store (store a i x) j y) (store (store a j y) i x))) (not (= i j))",
            "unsat",
        ),
        ("(not (= (store a i (select a i)) a))", "unsat"),
        (
            "(= ((as const (Array Int Int)) 3) a) (not (= (select a i) 3))",
            "unsat",
        ),
        (
            "(= (store ((as const (Array Int Int)) 3) i x) a) (= (select a j) y) (> y 3)",
            "sat",
        ),
        (
            "(= (store ((as const (Array Int Int)) 3) i x) a) (> (select a j) 3) (not (= i j))",
            "unsat",
        ),
        (
            "(= (store ((as const (Array Int Int)) x) i 7) (store ((as const (Array Int Int)) y) j 8)) \
             (< x y)",
            "unsat",
        ),
        (
            "(= m (store n i a)) (= (select (select m i) j) 4) (not (= (select a j) 4))",
            "unsat",
        ),
        (
            "(= (select m i) (store (select n i) j x)) (= m n) (not (= (select (select n i) j) x))",
            "unsat",
        ),
        ("(not (= m n)) (= (select m i) (select n i))", "sat"),
        (
            "(= (select q1 true) (select q2 true)) (= (select q1 false) (select q2 false)) (not (= q1 q2))",
            "unsat",
        ),
        ("(select bits i) (not (select bits j)) (= i j)", "unsat"),
        (
            "(select bits i) (not (select bits j)) (= i (+ j 1)) (select (store bits j p) j)",
            "sat",
        ),
        (
            "(= (store bits i (< x y)) (store bits i (>= x y)))",
            "unsat",
        ),
        (
            "(= (f (select a i)) 1) (= (f (select b i)) 2) (= a b)",
            "unsat",
        ),
        (
            "(= a (store b 0 x)) (= b (store c 1 y)) (= (select a 2) 5) (not (= (select c 2) 5))",
            "unsat",
        ),
        (
            "(= b (store (store (store (store a 0 1) 1 2) 2 3) 3 4)) (= (select b i) (select a i)) \
             (<= 0 i 3) (< (select a i) 0)",
            "unsat",
        ),
        (
            "(= b (ite p (store a i x) a)) (not (= (select b i) x)) (not (= (select b i) (select a i)))",
            "unsat",
        ),
    ] {
        check_over(declarations, formulas, verdict);
    }
}

#[test]
fn datatypes_are_built_and_taken_apart() {
    let declarations = "(declare-datatypes ((Color 0)) (((red) (green) (blue))))\
         (declare-datatypes ((Pair 0)) (((pair (fst Int) (snd Bool)))))\
         (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))\
         (declare-datatypes ((Tree 0) (Forest 0)) (((node (label Int) (children Forest))) \
           ((none) (some (first Tree) (rest Forest)))))\
         (declare-datatypes ((Rec 0)) (((rec (cells (Array Int Rec)) (size Int)) (leaf))))\
         (declare-const d1 Color)(declare-const d2 Color)(declare-const d3 Color)(declare-const d4 Color)\
         (declare-const p1 Pair)(declare-const p2 Pair)(declare-const l1 List)(declare-const l2 List)\
         (declare-const l3 List)(declare-const t1 Tree)(declare-const t2 Tree)(declare-const f1 Forest)\
         (declare-const r1 Rec)(declare-const r2 Rec)(declare-fun weight (List) Int)\
         (declare-const ar (Array Int Pair))";
    for (formulas, verdict) in [
        ("(distinct d1 d2 d3)", "sat"),
        ("(distinct d1 d2 d3 d4)", "unsat"),
        (
            "(not (= d1 red)) (not ((_ is green) d1)) (not (= d1 blue))",
            "unsat",
        ),
        (
            "(= (fst p1) (fst p2)) (= (snd p1) (snd p2)) (not (= p1 p2))",
            "unsat",
        ),
        ("(= (fst p1) (fst p2)) (not (= p1 p2)) (snd p1)", "sat"),
        (
            "(= p1 (pair x p)) (= p2 (pair y q)) (= p1 p2) (not (= x y))",
            "unsat",
        ),
        (
            "(= l1 (cons x l2)) (= l2 nil) (not (= (head l1) x))",
            "unsat",
        ),
        ("(= l1 (cons x l2)) (= l2 (cons y l1))", "unsat"),
        (
            "(= l1 (tail l2)) (= l2 (tail l1)) ((_ is cons) l1) ((_ is cons) l2)",
            "unsat",
        ),
        ("(= l1 (tail l2)) (= l2 (tail l1))", "sat"),
        (
            "((_ is cons) l1) (= (head l1) 3) (= (tail l1) l2) (not (= l1 (cons 3 l2)))",
            "unsat",
        ),
        ("(not (= l1 nil)) (not ((_ is cons) l1))", "unsat"),
        ("(distinct l1 l2 l3 nil)", "sat"),
        ("(= (head nil) 4) (= l1 nil) (not (= (head l1) 4))", "unsat"),
        ("(= (head nil) 4) (= (head l1) 5)", "sat"),
        ("(= t1 (node x f1)) (= f1 (some t1 none))", "unsat"),
        (
            "(= t1 (node x (some t2 none))) (= (label (first (children t1))) 3) (= (label t2) 4)",
            "unsat",
        ),
        (
            "(= (weight (cons x nil)) 1) (= (weight (cons y nil)) 2) (= x y)",
            "unsat",
        ),
        (
            "(= (weight (cons x nil)) 1) (= (weight (cons y nil)) 2)",
            "sat",
        ),
        (
            "(= (weight l1) 1) (= (weight l2) 2) (= l1 (cons x nil)) (= l2 (cons y nil)) (<= x y) (<= y x)",
            "unsat",
        ),
        (
            "(not (= (fst (select ar x)) (fst (select ar y)))) (= x y)",
            "unsat",
        ),
        (
            "(= (select ar x) (pair 1 p)) (= (select (store ar y (pair 2 q)) x) (pair 2 p))",
            "sat",
        ),
        (
            "(= (select ar x) (pair 1 p)) (= (select (store ar y (pair 2 q)) x) (pair 2 p)) \
             (not (= x y))",
            "unsat",
        ),
        (
            "(= r1 (rec (cells r2) x)) (= r2 (rec (store (cells r2) 0 leaf) y)) (not (= x y))",
            "sat",
        ),
        (
            "(= r1 (ite p leaf (rec (cells r2) x))) (not (= r1 leaf)) p",
            "unsat",
        ),
    ] {
        check_over(declarations, formulas, verdict);
    }
}

/// A constructor term of an equation that is false, and that nothing asks for, gets its
/// constructor all the same.
#[test]
fn constructors_of_equations_that_do_not_matter() {
    let script = "(declare-datatypes ((Day 0)) (((mon) (tue) (wed) (thu) (fri))))\
        (declare-const a Day)(declare-const b Day)\
        (assert (or (and (= mon a) (= tue b)) (and (= tue a) (= wed b)) (and (= wed a) (= thu b)) \
           (and (= thu a) (= fri b)) (and (= fri a) (= mon b))))\
        (check-sat-assuming ((= mon a)))(assert (not (and (= mon a) (= tue b))))\
        (check-sat-assuming ((= mon a)))(push 1)(assert (or (= mon a) (= tue a)))(check-sat)";
    check_script(script, &["sat", "unsat (= mon a)", "sat"]);
}

#[test]
fn theories_work_over_scopes() {
    let script = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))\
        (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))\
        (declare-const l List)\
        (assert (= b (store a x y)))(push 1)(assert (= (select b z) 3))(check-sat)\
        (push 1)(assert (not (= x z)))(assert (= (select a z) 4))(check-sat)(pop 1)(check-sat)\
        (assert (= l (cons (select a z) nil)))(check-sat)\
        (check-sat-assuming ((= (head l) 5) (not (= x z))))\
        (check-sat-assuming ((= (head l) 5)))(pop 1)\
        (check-sat-assuming ((not (= (select b x) y)) (= l nil)))(check-sat)";
    let expected = [
        "sat",
        "unsat",
        "sat",
        "sat",
        "unsat (= (head l) 5) (not (= x z))",
        "sat",
        "unsat (not (= (select b x) y))",
        "sat",
    ];
    check_script(script, &expected);
}

/// Equations of a choice with a value that builders decide, where a theory knows them otherwise.
#[test]
fn choices_are_elements_fields_and_arguments() {
    let declarations = "(declare-const a (Array Int Int))(declare-const l Chain)\
         (declare-const vectors (Array Int (_ BitVec 4)))(declare-const chains (Array Int Chain))\
         (declare-const q4 (Array (_ BitVec 4) Int))(declare-fun half (Real) Bool)\
         (declare-fun len (Chain) Int)(declare-fun nat ((_ BitVec 4)) Int)\
         (define-const zeros (Array Int Int) ((as const (Array Int Int)) 0))\
         (define-const ones (Array Int Int) ((as const (Array Int Int)) 1))";
    for (formulas, verdict) in [
        (
            "(= zeros (store zeros 0 (ite (= zeros ones) 0 1)))",
            "unsat",
        ),
        (
            "(= zeros (store zeros 0 (ite (= a ones) (- 1) 1)))",
            "unsat",
        ),
        ("(= zeros (store zeros 0 (ite (= a ones) 0 1)))", "sat"),
        (
            "(= ((as const (Array Int (_ BitVec 4))) #x0) (store vectors x (ite p #x1 #x2)))",
            "unsat",
        ),
        (
            "(= ((as const (Array Int Chain)) empty) \
                (store chains x (ite p (link 1 empty) (link 2 empty))))",
            "unsat",
        ),
        ("(= (link (ite p 1 2) empty) (link 3 l))", "unsat"),
        (
            "(= (link (ite p 1 2) (ite p empty l)) (link 2 empty))",
            "sat",
        ),
        (
            "(= (f (ite (= a (store a 0 1)) 1 2)) 5) (not (= (f 1) 5)) (= (select a 0) 1)",
            "unsat",
        ),
        (
            "(half (ite p 1.0 2.0)) (not (half 1.0)) (not (half 2.0))",
            "unsat",
        ),
        (
            "(= (nat (ite p #x1 #x2)) 5) (not (= (nat #x1) 5)) (not (= (nat #x2) 5))",
            "unsat",
        ),
        (
            "(= (select q4 (ite p #x1 #x2)) 5) (not (= (select q4 #x1) 5)) \
             (not (= (select q4 #x2) 5))",
            "unsat",
        ),
        (
            "(= (len (ite p empty (link 1 empty))) 5) (not (= (len empty) 5)) \
             (not (= (len (link 1 empty)) 5))",
            "unsat",
        ),
        (
            "(= (store a (ite p 1 2) 7) a) (not (= (select a 1) 7)) (not (= (select a 2) 7))",
            "unsat",
        ),
        (
            "(= ((as const (Array Int Int)) (f x)) \
                (store ((as const (Array Int Int)) (f x)) 0 (+ (f x) (ite p 1 2))))",
            "unsat",
        ),
        (
            "(= ((as const (Array Int Int)) (ite p 1 2)) \
                ((as const (Array Int Int)) (ite (= x 0) 3 4)))",
            "unsat",
        ),
    ] {
        check_over(declarations, formulas, verdict);
    }
}
