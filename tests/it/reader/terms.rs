//! Terms: the operators of the theories, coercions, datatypes, definitions, and what is not well
//! sorted. What simplification makes of a term is not the point here, so most tables have variables
//! where constants would be folded.

use super::read;
use horn::smtlib::{Source, read_system, system_text};
use horn::term::{Sort, Terms};

/// Checks the one formula that `declarations` and an assertion over the variables `x y: Int`,
/// `r s: Real`, `a: (Array Int Int)`, `v w: (_ BitVec 8)`, `c d: Bool` give as a constraint; the
/// assertion is the negation of the formula.
fn check_with(declarations: &str, formula: &str, expected: &str) {
    let variables = "(x Int) (y Int) (r Real) (s Real) (a (Array Int Int)) (v (_ BitVec 8)) (w (_ BitVec 8)) \
        (c Bool) (d Bool)";
    let text = format!("{declarations}\n(assert (forall ({variables}) (not \n{formula}\n)))");
    check_constraint(&text, formula, expected);
}

/// Checks the constraint of the query that the text is.
fn check_constraint(text: &str, formula: &str, expected: &str) {
    let clauses = read(text);
    let found = match &clauses[..] {
        [] => "false",
        [clause] => match clause
            .strip_suffix(" -> false")
            .and_then(|clause| clause.split_once("] "))
        {
            Some((_, constraint)) => constraint,
            None => clause,
        },
        _ => "several clauses",
    };
    assert_eq!(found, expected, "the formula of {formula}");
}

/// Without declarations; errors are on line 3.
fn check(formula: &str, expected: &str) {
    check_with("", formula, expected);
}

#[test]
fn core() {
    check("(= x y 3)", "(and (= x y) (= y 3))");
    check(
        "(distinct x y 3)",
        "(and (not (= x y)) (not (= x 3)) (not (= y 3)))",
    );
    check("(ite c d (not d))", "(ite c d (not d))");
    check("(if c d c)", "(ite c d c)");
    check("(xor c d (> x 0))", "(not (= (< 0 x) (not (= c d))))");
    check("(=> c d (> x 0))", "(or (not c) (not d) (< 0 x))");
    check("(implies c d)", "(or (not c) d)");
    check("(iff c d)", "(= c d)");
    check("(and c)", "c");
    check("(and true c (and d true))", "(and c d)");
    check("(let ((x 1) (y x)) (< x y))", "(< 1 x)");
    check("(let ((x 1)) (let ((x (+ x 1))) (< x y)))", "(< 2 y)");
    check("(let ((z x) (c d)) (=> c (< z y)))", "(or (not d) (< x y))");
}

#[test]
fn arithmetic() {
    check("(< x y 3)", "(and (< x y) (< y 3))");
    check("(>= x y 3)", "(and (<= y x) (<= 3 y))");
    check("(= x (+ y 1 2))", "(= x (+ y 3))");
    check("(= x (- y))", "(= x (* (- 1) y))");
    check("(= x (- y 1 x))", "(= x (+ y (* (- 1) x) (- 1)))");
    check("(= x (* 2 y 3))", "(= x (* 6 y))");
    check("(= x (div y 2 3))", "(= x (div (div y 2) 3))");
    check("(= x (mod y 2))", "(= x (mod y 2))");
    check("(= x (rem y 2))", "(= x (mod y 2))");
    check(
        "(= x (rem 7 y))",
        "(= x (ite (<= 0 y) (mod 7 y) (* (- 1) (mod 7 y))))",
    );
    check("(= x (abs y))", "(= x (abs y))");
    check("(= r (abs s))", "(= r (ite (< s 0.0) (* (- 1.0) s) s))");
    check("((_ divisible 3) x)", "(= (mod x 3) 0)");
    check("(is_int r)", "(is_int r)");
    check("(= x (to_int r))", "(= x (to_int r))");
    check("(= r (to_real x))", "(= r (to_real x))");
    check("(= x 007)", "(= x 7)");
    check("(= r 1.50)", "(= r (/ 3.0 2.0))");
    check(
        "(= x 123456789012345678901234567890)",
        "(= x 123456789012345678901234567890)",
    );
}

#[test]
fn integers_among_reals() {
    check("(= r 1)", "(= r 1.0)");
    check("(= 1 r)", "(= r 1.0)");
    check("(< r x)", "(< r (to_real x))");
    check("(= r (+ x s 1))", "(= r (+ (to_real x) s 1.0))");
    check("(= r (- 1))", "(= r (- 1.0))");
    check("(= r (/ 1 3))", "(= r (/ 1.0 3.0))");
    check(
        "(= x (/ y 2))",
        "(= (* (/ 1.0 2.0) (to_real y)) (to_real x))",
    );
    check("(= r (ite c 1 s))", "(= r (ite c 1.0 s))");
    check("(= x 1.0)", "(= (to_real x) 1.0)");
    check("(is_int x)", "true");
    check("(= x (to_int y))", "(= x y)");
    check(
        "(= x (div r 2))",
        "3:11: argument 1 of `div` has sort Real, expected Int",
    );
    check(
        "(= x (mod 2 r))",
        "3:13: argument 2 of `mod` has sort Real, expected Int",
    );
}

#[test]
fn arrays() {
    check("(= x (select a y))", "(= x (select a y))");
    check("(= a (store a x y))", "(= a (store a x y))");
    check("(= x (select (store a y 1) y))", "(= x 1)");
    check(
        "(= a ((as const (Array Int Int)) 0))",
        "(= a ((as const (Array Int Int)) 0))",
    );
    check(
        "(= ((as const (Array Int Real)) 0) ((as const (Array Int Real)) x))",
        "(= ((as const (Array Int Real)) 0.0) ((as const (Array Int Real)) (to_real x)))",
    );
    check(
        "(select x y)",
        "3:9: argument 1 of `select` has sort Int, expected an array sort",
    );
    check(
        "(= 1 (select a c))",
        "3:16: argument 2 of `select` has sort Bool, expected Int",
    );
    check(
        "(= a (store a x c))",
        "3:17: argument 3 of `store` has sort Bool, expected Int",
    );
    check(
        "(= a ((as const Int) 0))",
        "3:6: the sort of a constant array has sort Int, expected an array sort",
    );
}

#[test]
fn bit_vectors() {
    check("(= v #xff)", "(= v #xff)");
    check("(= v #b00000001)", "(= v #x01)");
    check("(= v (_ bv7 8))", "(= v #x07)");
    check("(bvult v (bvadd v w #x01))", "(bvult v (bvadd v w #x01))");
    check("(bvult v (bvsub v w))", "(bvult v (bvadd v (bvneg w)))");
    check("(= v (bvnand v w))", "(= v (bvnot (bvand v w)))");
    check("(bvugt v w)", "(bvult w v)");
    check("(bvsge v w)", "(bvsle w v)");
    check(
        "(= v ((_ extract 11 4) (concat v w)))",
        "(= v ((_ extract 11 4) (concat v w)))",
    );
    check(
        "(= (concat v w) ((_ zero_extend 8) v))",
        "(= (concat v w) ((_ zero_extend 8) v))",
    );
    check(
        "(= (concat v v v) ((_ repeat 3) w))",
        "(= (concat (concat v v) v) ((_ repeat 3) w))",
    );
    check("(= v ((_ rotate_left 9) w))", "(= v ((_ rotate_left 1) w))");
    check("(= v ((_ rotate_right 8) w))", "(= v w)");
    check("(= x (bv2nat v))", "(= x (bv2nat v))");
    check("(= x (ubv_to_int v))", "(= x (bv2nat v))");
    check("(= v ((_ int2bv 8) x))", "(= v ((_ int2bv 8) x))");
    check("(= v ((_ int_to_bv 8) x))", "(= v ((_ int2bv 8) x))");
    check("(= #b1 (bvcomp v w))", "(= (bvcomp v w) #b1)");
    check(
        "(= x (sbv_to_int v))",
        "(= x (ite (bvslt v #x00) (+ (bv2nat v) (- 256)) (bv2nat v)))",
    );
    check(
        "(= v #b1)",
        "3:6: one of the sides of the equation has sort (_ BitVec 1), expected (_ BitVec 8)",
    );
    check(
        "(= v (bvadd v #b1))",
        "3:15: argument 2 of `bvadd` has sort (_ BitVec 1), expected (_ BitVec 8)",
    );
    check(
        "(= v (bvadd v x))",
        "3:15: argument 2 of `bvadd` has sort Int, expected a bit-vector",
    );
    check(
        "(= v ((_ extract 8 0) w))",
        "3:6: bits 8 down to 0 of a vector of 8 bits",
    );
    check(
        "(= v ((_ extract 0 1) w))",
        "3:6: bits 0 down to 1 of a vector of 8 bits",
    );
    check("(= v (_ bv256 8))", "3:6: 256 does not fit into 8 bits");
    check("(= v (_ bv1 0))", "3:13: a bit-vector has at least one bit");
    check(
        "(= v ((_ zero_extend 99999999) w))",
        "3:6: not supported: bit-vectors of more than 1048576 bits",
    );
    check(
        "(= v ((_ foo 1) w))",
        "3:10: not supported: the indexed function `foo`",
    );
}

/// Whatever numbers stand in a text, widths are bounded before anything is made of them.
#[test]
fn widths_are_bounded() {
    let wide = "not supported: bit-vectors of more than 1048576 bits";
    let huge = "99999999999999999999999999";
    let cases = [
        ("(= v ((_ repeat 131073) w))".to_owned(), 6),
        ("(= v ((_ repeat 4294967295) w))".to_owned(), 6),
        ("(= v ((_ repeat 536870912) w))".to_owned(), 6),
        ("(= v ((_ zero_extend 1048569) w))".to_owned(), 6),
        ("(= v ((_ sign_extend 4294967295) w))".to_owned(), 6),
        ("(= v ((_ int2bv 4294967295) x))".to_owned(), 6),
        ("(= v (_ bv1 1048577))".to_owned(), 13),
        (format!("(= v (_ bv1 {huge}))"), 13),
        ("(forall ((z (_ BitVec 1048577))) true)".to_owned(), 23),
        ("(forall ((z (_ BitVec 4294967296))) true)".to_owned(), 23),
        (format!("(forall ((z (_ BitVec {huge}))) true)"), 23),
        (format!("(= v #x{})", "0".repeat(262_145)), 6),
        (format!("(= v #b{})", "1".repeat(1_048_577)), 6),
        ("(= v (concat ((_ repeat 131072) v) w))".to_owned(), 14),
        (
            format!("(= v (concat {}))", "((_ repeat 131072) v) ".repeat(5000)),
            14,
        ),
    ];
    for (formula, column) in cases {
        check(&formula, &format!("3:{column}: {wide}"));
    }
    check(
        "(= v ((_ extract 1048575 1048568) ((_ repeat 131072) w)))",
        "(= v ((_ extract 1048575 1048568) ((_ repeat 131072) w)))",
    );
    check(
        "(= v ((_ repeat 0) w))",
        "3:6: a bit-vector has at least one bit",
    );
    check(
        "(= v ((_ int2bv 0) x))",
        "3:6: a bit-vector has at least one bit",
    );
    check(
        "(= v ((_ rotate_left 4294967295) w))",
        "(= v ((_ rotate_left 7) w))",
    );
    check(
        "(= v ((_ extract 4294967295 0) w))",
        "3:6: bits 4294967295 down to 0 of a vector of 8 bits",
    );
    for function in ["repeat", "zero_extend", "rotate_left", "int2bv", "foo"] {
        check(
            &format!("(= v ((_ {function} {huge}) w))"),
            &format!(
                "3:{}: not supported: an index greater than 4294967295",
                11 + function.len()
            ),
        );
    }
    check(
        &format!("(= v (_ bv{huge} 8))"),
        &format!("3:6: {huge} does not fit into 8 bits"),
    );
    check(
        "(= (+ x 1) (bv2nat #x000000000000000000000000000000000000000000000000000000000000000001))",
        "(= (+ x 1) 1)",
    );
}

#[test]
fn what_is_not_well_sorted() {
    check(
        "(and c x)",
        "3:8: argument 2 of `and` has sort Int, expected Bool",
    );
    check(
        "(not x)",
        "3:6: argument 1 of `not` has sort Int, expected Bool",
    );
    check(
        "(=> x c)",
        "3:5: argument 1 of `=>` has sort Int, expected Bool",
    );
    check(
        "(= x c)",
        "3:6: one of the sides of the equation has sort Bool, expected Int",
    );
    check(
        "(ite c x d)",
        "3:10: one of the branches of the if-then-else has sort Bool, expected Int",
    );
    check(
        "(ite x c d)",
        "3:6: argument 1 of `ite` has sort Int, expected Bool",
    );
    check(
        "(< x c)",
        "3:6: argument 2 of `<` has sort Bool, expected Int or Real",
    );
    check(
        "(> x (+ x c))",
        "3:11: argument 2 of `+` has sort Bool, expected Int or Real",
    );
    check(
        "(+ x 1)",
        "3:1: argument 1 of `not` has sort Int, expected Bool",
    );
    check("(= x)", "3:1: `=` takes 2 or more arguments, found 1");
    check("(not c d)", "3:1: `not` takes 1 argument, found 2");
    check("(true c)", "3:1: `true` takes no arguments, found 1");
    check("(foo x)", "3:1: unknown constant or function `foo`");
    check("foo", "3:1: unknown constant or function `foo`");
    check("(x y)", "3:1: `x` is a variable here, not a function");
    check("and", "3:1: `and` takes arguments, found 0");
    check("(forall ((z Foo)) true)", "3:13: unknown sort `Foo`");
    check(
        "(forall ((z (Array Int))) true)",
        "3:13: the sort `Array` takes 2 arguments, found 1",
    );
    check(
        "(forall ((z (_ BitVec 0))) true)",
        "3:23: a bit-vector has at least one bit",
    );
    check(
        "(forall ((z Int) (z Int)) true)",
        "3:19: a variable is bound twice here: `z`",
    );
    check(
        "(let ((z 1) (z 2)) true)",
        "3:14: a variable is bound twice here: `z`",
    );
    check(
        "(exists ((z Int)) z)",
        "3:19: the body of the quantifier has sort Int, expected Bool",
    );
    check("(= \"a\" \"b\")", "3:4: not supported: strings");
    check("(= (as x Bool) c)", "3:4: `x` has sort Int, expected Bool");
    check("(= (as x Int) y)", "(= x y)");
}

/// Lists of integers, parametric pairs and lists, trees and forests.
const DATATYPES: &str = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\
    (declare-datatype Pair (par (X Y) ((pair (first X) (second Y)))))\
    (declare-datatypes ((List 1)) ((par (T) ((empty) (insert (head T) (tail (List T)))))))\
    (declare-datatypes ((Tree 0) (Forest 0)) (((node (value Int) (children Forest))) ((none) (more (one Tree) (others Forest)))))";

/// Checks a formula over `l k: L`, `u: (List Int)`, `o: (Pair Int Real)`, `t: Tree`, `x: Int`,
/// `c: Bool`; errors are on line 3.
fn check_data(formula: &str, expected: &str) {
    let variables = "(l L) (k L) (u (List Int)) (o (Pair Int Real)) (t Tree) (x Int) (c Bool)";
    let text = format!("{DATATYPES}\n(assert (forall ({variables}) (not \n{formula}\n)))");
    check_constraint(&text, formula, expected);
}

#[test]
fn datatypes() {
    check_data("(= l (cons x nil))", "(= l (cons x nil))");
    check_data("(= l (tl k))", "(= l (tl k))");
    check_data("(= x (hd (cons 1 l)))", "(= x 1)");
    check_data("((_ is cons) l)", "((_ is cons) l)");
    check_data("(is-cons l)", "((_ is cons) l)");
    check_data("(= l (as nil L))", "(= l nil)");
    check_data("(= u (insert x u))", "(= u ((as insert (List Int)) x u))");
    check_data(
        "(= u (insert x empty))",
        "(= u ((as insert (List Int)) x (as empty (List Int))))",
    );
    check_data("(= u empty)", "(= u (as empty (List Int)))");
    check_data("(= empty u)", "(= u (as empty (List Int)))");
    check_data(
        "(= u (ite c empty u))",
        "(= u (ite c (as empty (List Int)) u))",
    );
    check_data("(= u (as empty (List Int)))", "(= u (as empty (List Int)))");
    check_data(
        "(= u ((as insert (List Int)) x u))",
        "(= u ((as insert (List Int)) x u))",
    );
    check_data(
        "(= (insert o empty) (as empty (List (Pair Int Real))))",
        "false",
    );
    check_data(
        "(= o (pair x 1))",
        "3:6: one of the sides of the equation has sort (Pair Int Int), expected (Pair Int Real)",
    );
    check_data("(= (second o) 1)", "(= (second o) 1.0)");
    check_data("(= (value t) (hd l))", "(= (value t) (hd l))");
    check_data(
        "(= t (node x (more t none)))",
        "(= t (node x (more t none)))",
    );
    check_data("((_ is node) t)", "true");
}

#[test]
fn datatypes_of_the_older_form() {
    let text = "(declare-datatypes (X) ((Tree leaf (node (value X) (children Trees))) (Trees no (some (one Tree) (more Trees)))))\
        (declare-fun p ((Tree Int)) Bool)(assert (forall ((t (Tree Int))) (=> (p t) (p (one (children t))))))";
    assert_eq!(read(text), ["[t] (p t) -> (p (one (children t)))"]);
}

#[test]
fn datatypes_that_do_not_fit() {
    check_data(
        "(= l (cons l x))",
        "3:12: argument 1 of `cons` has sort L, expected Int",
    );
    check_data("(= l (cons x))", "3:6: `cons` takes 2 arguments, found 1");
    check_data(
        "(= l u)",
        "3:6: one of the sides of the equation has sort (List Int), expected L",
    );
    check_data(
        "(= x (hd u))",
        "3:10: argument 1 of `hd` has sort (List Int), expected L",
    );
    check_data(
        "(is-insert l)",
        "3:12: argument 1 of `insert` has sort L, expected List",
    );
    check_data("(is-foo l)", "3:1: unknown constant or function `is-foo`");
    check_data("((_ is hd) l)", "3:1: unknown constant or function `hd`");
    check_data(
        "(= (insert 1 empty) (insert c empty))",
        "3:21: one of the sides of the equation has sort (List Bool), expected (List Int)",
    );
    check_data(
        "(= (as empty (List Bool)) u)",
        "3:27: one of the sides of the equation has sort (List Int), expected (List Bool)",
    );
    check_data("((_ is empty) empty)", "true");
    check_data("(= l insert)", "3:6: `insert` takes 2 arguments, found 0");
}

#[test]
fn matches() {
    check_data(
        "(match l ((nil c) ((cons h r) (> h x))))",
        "(ite ((_ is nil) l) c (< x (hd l)))",
    );
    check_data(
        "(match l (((cons h _) (> h x)) (_ c)))",
        "(ite ((_ is cons) l) (< x (hd l)) c)",
    );
    check_data(
        "(match l (((cons h r) (> h x)) (other (= other k))))",
        "(ite ((_ is cons) l) (< x (hd l)) (= l k))",
    );
    check_data(
        "(= x (match u ((empty 0) ((insert h r) h))))",
        "(= x (ite ((_ is empty) u) 0 (head u)))",
    );
    check_data("(match l ((any (= any k)) (nil c)))", "(= l k)");
    check_data(
        "(= 1 (second (match u ((empty (pair 0 1.5)) ((insert h r) o)))))",
        "(= (second (ite ((_ is empty) u) ((as pair (Pair Int Real)) 0 (/ 3.0 2.0)) o)) 1.0)",
    );
    check_data(
        "(match l ((nil c)))",
        "3:8: this match has no case for the constructor `cons`",
    );
    check_data(
        "(match l (((cons h) c) (nil c)))",
        "3:12: `cons` takes 2 arguments, found 1",
    );
    check_data(
        "(match l (((insert h r) c) (nil c)))",
        "3:12: `insert` is no constructor of L",
    );
    check_data(
        "(match x ((nil c)))",
        "3:8: match needs a value of a datatype, found sort Int",
    );
    check_data(
        "(match l ((nil c) ((cons h h) c)))",
        "3:28: a variable is bound twice here: `h`",
    );
    check_data(
        "(match l ((nil c) ((cons h r) h)))",
        "3:31: one of the cases of the match has sort Int, expected Bool",
    );
}

/// Checks what a declaration, on line 1, is answered: `ok`, or an error.
fn check_declaration(text: &str, expected: &str) {
    let found = read(text);
    assert_eq!(
        found.first().map_or("ok", |line| line.as_str()),
        expected,
        "declarations {text}"
    );
}

#[test]
fn declarations() {
    let check = check_declaration;
    check(
        "(declare-fun f (Int) Bool) (declare-fun f (Bool) Bool)",
        "1:41: `f` is already declared",
    );
    check(
        "(declare-fun and (Int) Bool)",
        "1:14: `and` is already declared",
    );
    check(
        "(declare-datatype T ((a) (a)))",
        "1:27: `a` is already declared",
    );
    check(
        "(declare-datatype T ((a (b Int)) (c (b Int))))",
        "1:38: `b` is already declared",
    );
    check(
        "(declare-datatype T ((a (b T))))",
        "1:19: the datatype `T` has no values: it is not well-founded",
    );
    check(
        "(declare-datatypes ((T 0) (U 0)) (((a (b U))) ((c (d T)))))",
        "1:22: the datatype `T` has no values: it is not well-founded",
    );
    check(
        "(declare-datatypes ((T 0) (U 0)) (((a (b U))) ((c (d T)) (e))))",
        "ok",
    );
    check(
        "(declare-datatype T ((a (b (Array Int T)))))",
        "1:19: the datatype `T` has no values: it is not well-founded",
    );
    check("(declare-datatype T ((a (b (Array Int T))) (z)))", "ok");
    check(
        "(declare-datatypes ((B 1)) ((par (X) ((box (unbox X))))))(declare-datatype T ((a (b (B T)))))",
        "1:76: the datatype `T` has no values: it is not well-founded",
    );
    check(
        "(declare-datatypes ((B 1)) ((par (X) ((box (unbox X)) (e)))))(declare-datatype T ((a (b (B T)))))",
        "ok",
    );
    check(
        "(declare-datatypes ((T 1)) (((a))))",
        "1:24: the number of parameters is declared otherwise than the 0 described",
    );
    check(
        "(declare-datatypes ((T 0) (U 0)) (((a))))",
        "1:22: 2 datatypes are named, 1 are described",
    );
    check(
        "(declare-datatype T ((a (b Foo))))",
        "1:28: unknown sort `Foo`",
    );
    check(
        "(declare-datatype T ())",
        "1:19: the datatype `T` has no constructor",
    );
    check(
        "(declare-datatype Int ((a)))",
        "1:19: the sort `Int` is already declared",
    );
    check("(declare-datatypes (X) ((Lst e (c (h X) (t Lst)))))", "ok");
    check("(declare-datatypes () ((Lst e (c (h Int) (t Lst)))))", "ok");
    check(
        "(declare-datatypes ((N 1)) ((par (X) ((n (f (N (N X)))) (z)))))(declare-fun p ((N Int)) Bool)",
        "1:80: not supported: sorts nested deeper than 200",
    );
    check(
        "(declare-sort S 0)(declare-sort P 2)(declare-fun p (S (P S Int)) Bool)",
        "ok",
    );
    check(
        "(declare-sort S 0)(declare-fun p ((S Int)) Bool)",
        "1:35: the sort `S` takes no arguments, found 1",
    );
    check(
        "(declare-sort S 0)(declare-sort S 0)",
        "1:33: the sort `S` is already declared",
    );
    check(
        "(define-sort A (X) (Array Int X))(declare-fun p ((A (A Int))) Bool)",
        "ok",
    );
    check(
        "(define-sort A () (Array Int Foo))",
        "1:30: unknown sort `Foo`",
    );
    check("(declare-fun f (Int) Int)", "ok");
    check(
        "(declare-fun f (Int) Int)(declare-fun p (Int) Bool)(assert (p (f 1)))",
        "1:63: not supported: the uninterpreted function `f`, whose result is not Bool",
    );
    check(
        "(declare-const c Int)(declare-fun p (Int) Bool)(assert (p c))",
        "1:59: not supported: the uninterpreted function `c`, whose result is not Bool",
    );
}

#[test]
fn sorts_with_parameters_are_applied() {
    let text = "(define-sort A (X) (Array Int X))(define-sort B (X Y) (Array Y (A X)))(declare-fun p ((B Bool Real)) Bool)\
        (assert (forall ((x (B Bool Real))) (p x)))";
    assert_eq!(read(text), ["[x] true -> (p x)"]);
}

/// Checks the clauses of `(p …)` facts after definitions.
fn check_definition(text: &str, expected: &[&str]) {
    assert_eq!(
        read(&format!(
            "(declare-fun p (Int) Bool)(declare-fun r (Real) Bool)\n{text}"
        )),
        expected,
        "{text}"
    );
}

#[test]
fn definitions() {
    let check = check_definition;
    check(
        "(define-fun f ((x Int) (y Int)) Int (+ x (* 2 y)))(assert (p (f 1 2)))",
        &["[] true -> (p 5)"],
    );
    check(
        "(define-fun f ((x Int)) Bool (p x))(assert (forall ((y Int)) (=> (f y) (f (+ y 1)))))",
        &["[y] (p y) -> (p (+ y 1))"],
    );
    check(
        "(define-fun f ((x Int)) Int x)(define-fun g ((x Int)) Int (f (f x)))(assert (p (g 3)))",
        &["[] true -> (p 3)"],
    );
    check(
        "(define-const k Int 7)(assert (p k))",
        &["[] true -> (p 7)"],
    );
    check(
        "(define-fun k () Real 7)(assert (r k))",
        &["[] true -> (r 7.0)"],
    );
    check(
        "(define-fun f ((x Int)) Bool (exists ((y Int)) (and (p y) (< x y))))(assert (forall ((y Int)) (=> (and (f y) (f 1)) (p y))))",
        &["[y y!0 y!1] (p y!0) & (p y!1) & (and (< y y!0) (< 1 y!1)) -> (p y)"],
    );
    check(
        "(define-fun f ((x Int)) Int y)",
        &["2:29: unknown constant or function `y`"],
    );
    check(
        "(define-fun f ((x Int)) Bool x)",
        &["2:30: the value of `f` has sort Int, expected Bool"],
    );
    check(
        "(define-fun f ((x Int) (x Int)) Int x)",
        &["2:25: a variable is bound twice here: `x`"],
    );
    check(
        "(define-fun f ((x Int)) Int x)(assert (p (f 1 2)))",
        &["2:42: `f` takes 1 argument, found 2"],
    );
    check(
        "(define-fun f ((x Int)) Int x)(assert (p (f true)))",
        &["2:45: argument 1 of `f` has sort Bool, expected Int"],
    );
    check(
        "(define-fun p ((x Int)) Int x)",
        &["2:13: `p` is already declared"],
    );
    check(
        "(define-fun-rec f ((x Int)) Int (+ x 1))(assert (p (f 1)))",
        &["[] true -> (p 2)"],
    );
    check(
        "(define-fun-rec f ((x Int)) Int (f x))",
        &["2:17: not supported: the recursive function `f`"],
    );
    check(
        "(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((g x) (+ x 1)))(assert (p (f 1)))",
        &["[] true -> (p 2)"],
    );
    check(
        "(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((g x) (f x)))",
        &["2:20: not supported: the recursive function `f`"],
    );
}

#[test]
fn names_of_theories_may_be_declared() {
    let text = "(declare-fun div (Int Int Int) Bool)(declare-fun mod (Bool Bool) Bool)\
        (assert (forall ((x Int) (y Int)) (=> (mod true (= x (mod y 2))) (div x y (div x y)))))";
    assert_eq!(
        read(text),
        ["[x y] (mod true (= x (mod y 2))) -> (div x y (div x y))"]
    );
}

#[test]
fn quoted_symbols_are_the_same_without_bars() {
    let text = "(declare-fun |p| (Int) Bool)(declare-fun |a b| (Int) Bool)(declare-fun || () Bool)(declare-fun |let| () Bool)\
        (assert (forall ((|x| Int)) (=> (and (p x) (|a b| |x|) ||) |let|)))";
    assert_eq!(read(text), ["[x] (p x) & (|a b| x) & || -> |let|"]);
}

/// A constructor with the name of a theory's function is meant where the arguments have its sorts.
#[test]
fn constructors_share_names_with_theories() {
    let text = "
        (declare-datatypes ((L 0)) (((nil) (< (of L) (at Int)))))
        (declare-fun p (L Int) Bool)
        (assert (forall ((l L) (x Int)) (=> (and (p l x) (< x 3)) (p (< l x) (+ x 1)))))
        (check-sat)";
    let t = Terms::new();
    let system = read_system(&t, &Source::from_text("text", text)).expect("both are meant");
    let clause = &system.clauses[0];
    assert_eq!(t.sort_of(clause.constraint), Sort::BOOL);
    let head = clause.head.as_ref().expect("it has a head");
    assert!(t.datatype_of(t.sort_of(head.args[0])).is_some());
    // What is printed reads back.
    let again = Source::from_text("printed", system_text(&t, &system).to_string());
    let u = Terms::new();
    let second = read_system(&u, &again).expect("it is read again");
    assert_eq!(system.fingerprint(&t), second.fingerprint(&u));
}
