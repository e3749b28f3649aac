//! From assertions to clauses: which shapes are Horn, and what they give.

use super::read;

/// Predicates `p` on an integer, `q` on two, `n`, `m` and `k` on nothing, `b` on a truth value.
const DECLARATIONS: &str = "(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)(declare-fun n () Bool)\
    (declare-fun m () Bool)(declare-fun k () Bool)(declare-fun b (Bool) Bool)\n";

/// Checks the clauses, or the error, of an assertion, which stands on line 2 from column 9 on.
fn check(assertion: &str, expected: &[&str]) {
    assert_eq!(
        read(&format!("{DECLARATIONS}(assert {assertion})")),
        expected,
        "clauses of {assertion}"
    );
}

#[test]
fn clauses_whose_head_is_in_the_body_say_nothing() {
    check("(=> n n)", &[]);
    check(
        "(forall ((x Int)) (=> (p x) (and (p x) (q x x) (< x 1))))",
        &["[x] (p x) -> (q x x)", "[x] (p x) & (<= 1 x) -> false"],
    );
    check("(forall ((x Int)) (or (not (p x)) (p x) n))", &[]);
}

#[test]
fn implications() {
    check(
        "(forall ((x Int)) (=> (p x) (p (+ x 1))))",
        &["[x] (p x) -> (p (+ x 1))"],
    );
    check(
        "(forall ((x Int)) (=> (and (p x) (> x 0)) false))",
        &["[x] (p x) & (< 0 x) -> false"],
    );
    check(
        "(forall ((x Int)) (=> (> x 0) (p x)))",
        &["[x] (< 0 x) -> (p x)"],
    );
    check(
        "(forall ((x Int)) (=> (p x) (> x 0)))",
        &["[x] (p x) & (<= x 0) -> false"],
    );
    check(
        "(forall ((x Int)) (=> (p x) (=> (> x 0) n)))",
        &["[x] (p x) & (< 0 x) -> n"],
    );
    check(
        "(forall ((x Int)) (=> (p x) (> x 0) n))",
        &["[x] (p x) & (< 0 x) -> n"],
    );
    check(
        "(forall ((x Int) (y Int)) (=> (p x) (forall ((z Int)) (=> (q y z) n))))",
        &["[x y z] (p x) & (q y z) -> n"],
    );
    check("(=> n m)", &["[] n -> m"]);
    check("n", &["[] true -> n"]);
    check("(not n)", &["[] n -> false"]);
    check("(=> true n)", &["[] true -> n"]);
    check("(=> n true)", &[]);
    check("(=> false n)", &[]);
    check("(=> n n)", &[]);
    check("true", &[]);
    check("false", &["[] true -> false"]);
    check("(forall ((x Int)) (> x 0))", &["[x] (<= x 0) -> false"]);
}

#[test]
fn other_connectives() {
    check(
        "(forall ((x Int)) (or (not (p x)) (<= x 0) (p (- x 1))))",
        &["[x] (p x) & (< 0 x) -> (p (+ x (- 1)))"],
    );
    check("(not (and n m))", &["[] n & m -> false"]);
    check(
        "(not (exists ((x Int)) (and (p x) (> x 0))))",
        &["[x] (p x) & (< 0 x) -> false"],
    );
    check(
        "(forall ((x Int)) (=> (exists ((y Int)) (q x y)) (p x)))",
        &["[x y] (q x y) -> (p x)"],
    );
    check(
        "(forall ((x Int)) (=> (p x) (and n m)))",
        &["[x] (p x) -> n", "[x] (p x) -> m"],
    );
    check(
        "(forall ((x Int)) (=> (p x) (and n (> x 0) m (< x 9))))",
        &[
            "[x] (p x) -> n",
            "[x] (p x) & (not (and (< 0 x) (< x 9))) -> false",
            "[x] (p x) -> m",
        ],
    );
    check(
        "(forall ((x Int)) (=> (or (p x) n) m))",
        &["[x] (p x) -> m", "[] n -> m"],
    );
    check(
        "(forall ((x Int)) (=> (or (p x) (> x 0) (< x 9) n) m))",
        &[
            "[x] (p x) -> m",
            "[x] (or (< 0 x) (< x 9)) -> m",
            "[] n -> m",
        ],
    );
    check("(= n m)", &["[] n -> m", "[] m -> n"]);
    check(
        "(= n m k)",
        &["[] n -> m", "[] m -> n", "[] m -> k", "[] k -> m"],
    );
    check(
        "(xor n m)",
        &["2:16: not a Horn clause: this predicate would be a second head beside `n`"],
    );
    check("(not (xor n m))", &["[] n -> m", "[] m -> n"]);
    check("(distinct n true)", &["[] n -> false"]);
    check(
        "(forall ((x Int)) (= (p x) (> x 0)))",
        &["[x] (p x) & (<= x 0) -> false", "[x] (< 0 x) -> (p x)"],
    );
    check(
        "(forall ((x Int)) (ite (> x 0) (p x) (=> n m)))",
        &["[x] (< 0 x) -> (p x)", "[x] n & (<= x 0) -> m"],
    );
    check(
        "(forall ((x Int)) (=> (ite (> x 0) (p x) n) m))",
        &["[x] (p x) & (< 0 x) -> m", "[x] n & (<= x 0) -> m"],
    );
    check(
        "(ite n m k)",
        &["2:18: not a Horn clause: this predicate would be a second head beside `n`"],
    );
    check(
        "(and n (and m (forall ((x Int)) (p x))))",
        &["[] true -> n", "[] true -> m", "[x] true -> (p x)"],
    );
    check(
        "(forall ((x Int)) (=> (and (p x) (not (or (> x 0) (< x 9)))) n))",
        &["[x] (p x) & (and (<= x 0) (<= 9 x)) -> n"],
    );
}

#[test]
fn atoms_keep_their_arguments() {
    check(
        "(forall ((x Int)) (=> (q x x) (q 0 (+ x 1))))",
        &["[x] (q x x) -> (q 0 (+ x 1))"],
    );
    check(
        "(forall ((x Int)) (b (> x 0)))",
        &["[x] true -> (b (< 0 x))"],
    );
    check(
        "(forall ((c Bool)) (=> (b c) c))",
        &["[c] (b c) & (not c) -> false"],
    );
    check(
        "(forall ((x Int)) (=> (and (p x) (p x) (p x)) n))",
        &["[x] (p x) -> n"],
    );
    check(
        "(b n)",
        &["2:12: not supported: a predicate inside of a term"],
    );
    check(
        "(b (exists ((x Int)) (> x 0)))",
        &["2:12: not supported: a quantifier inside of a term"],
    );
    check(
        "(forall ((x Int)) (= x (ite n 1 2)))",
        &["2:37: not supported: a predicate inside of a term"],
    );
}

#[test]
fn names() {
    check(
        "(! (forall ((x Int)) (p x)) :named one)",
        &["one: [x] true -> (p x)"],
    );
    check(
        "(forall ((x Int)) (! (p x) :named |the one| :weight 3 :pattern ((p x))))",
        &["|the one|: [x] true -> (p x)".replace('|', "").as_str()],
    );
    check(
        "(! (and n m) :named two)",
        &["two: [] true -> n", "two: [] true -> m"],
    );
    check("(=> (! n :named inner) m)", &["[] n -> m"]);
    check(
        "(! (! n :named inner) :named outer)",
        &["outer: [] true -> n"],
    );
}

#[test]
fn variables() {
    check(
        "(forall ((x Int) (y Int) (z Bool)) (=> (p y) (q y x)))",
        &["[x y] (p y) -> (q y x)"],
    );
    check("(forall ((x Int)) (=> (p x) (exists ((x Int)) true)))", &[]);
    check(
        "(forall ((x Int)) (and (forall ((x Int)) (p x)) (p x)))",
        &["[x!0] true -> (p x!0)", "[x] true -> (p x)"],
    );
    check(
        "(forall ((x Int)) (=> (exists ((x Bool)) (b x)) (p x)))",
        &["[x x!0] (b x!0) -> (p x)"],
    );
    check("(forall ((p Int)) (p p))", &["[p!0] true -> (p p!0)"]);
    check(
        "(forall ((x Int)) (let ((y x)) (=> (exists ((x Int)) (q x y)) (p x))))",
        &["[x x!0] (q x!0 x) -> (p x)"],
    );
    check(
        "(let ((some (exists ((x Int)) (p x)))) (=> (and some (or some n)) m))",
        &["[x] (p x) -> m", "[x] (p x) & n -> m"],
    );
    // A formula met twice whose variable has to be another one.
    let text = "(declare-fun p (Int) Bool)(declare-fun n () Bool)\
        (define-fun f ((x Int)) Bool (exists ((y Int)) (and (p y) (< x y))))\
        (assert (forall ((y Int)) (=> (and (f 1) (or (f 1) n)) (p y))))";
    assert_eq!(
        read(text),
        [
            "[y y!0] (p y!0) & (< 1 y!0) -> (p y)",
            "[y y!0] (p y!0) & n & (< 1 y!0) -> (p y)"
        ]
    );
}

#[test]
fn what_is_not_horn() {
    check(
        "(or n m)",
        &["2:15: not a Horn clause: this predicate would be a second head beside `n`"],
    );
    check(
        "(forall ((x Int)) (=> (p x) (or n (p 1) (> x 0))))",
        &["2:43: not a Horn clause: this predicate would be a second head beside `n`"],
    );
    check(
        "(forall ((x Int)) (=> (not (p x)) n))",
        &["2:43: not a Horn clause: this predicate would be a second head beside `(p x)`"],
    );
    check(
        "(forall ((x Int)) (=> (p x) (exists ((y Int)) (q x y))))",
        &["2:37: not a Horn clause: an existential quantifier in the head"],
    );
    check(
        "(exists ((x Int)) (p x))",
        &["2:9: not a Horn clause: an existential quantifier in the head"],
    );
    check(
        "(=> (forall ((x Int)) (p x)) n)",
        &["2:13: not a Horn clause: a universal quantifier in the body"],
    );
    check(
        "(=> (forall ((x Int)) (> x 0)) n)",
        &["2:13: not a Horn clause: a universal quantifier in the body"],
    );
    check(
        "(= n (forall ((x Int)) (p x)))",
        &["2:14: not a Horn clause: a universal quantifier in the body"],
    );
    // Valid clauses are no trouble, whatever their shape.
    check("(or n m true)", &[]);
    check("(or n m (not n))", &[]);
}

#[test]
fn distribution_has_a_limit() {
    let pairs = |count: usize| -> String {
        let pair = |at: usize| format!("(or (p {at}) (q {at} {at}))");
        format!(
            "(=> (and {}) n)",
            (0..count).map(pair).collect::<Vec<_>>().join(" ")
        )
    };
    assert_eq!(
        read(&format!("{DECLARATIONS}(assert {})", pairs(10))).len(),
        1024
    );
    check(
        &pairs(40),
        &["2:9: this formula gives more than 16384 Horn clauses"],
    );
    // A conjunction of many clauses is no distribution.
    let many: Vec<String> = (0..20_000).map(|at| format!("(p {at})")).collect();
    assert_eq!(
        read(&format!("{DECLARATIONS}(assert (and {}))", many.join(" "))).len(),
        20_000
    );
}
