//! The check of models with quantifiers, by the embedded core alone.

use crate::certified::{native, read};
use horn::certify::{ModelError, check_model};
use horn::chc::{Interpretation, Model};
use horn::smt::Limit;
use horn::term::{Sort, Terms};

const VARS: &str = "(a (Array Int Int)) (b (Array Int Int)) (n Int)";

/// What the checker says of `∀ a, b, n. p(a, b, n) ∧ premise → false` where `p` is interpreted by
/// these formulas over `a`, `b` and `n`, each for all values of the variables before it.
#[track_caller]
fn checked(interpretation: &[(&str, &str)], premise: &str) -> &'static str {
    let t = Terms::new();
    let declared = "(set-logic HORN) (declare-fun p ((Array Int Int) (Array Int Int) Int) Bool)";
    let clause = |(vars, matrix): &(&str, &str)| {
        format!("(assert (forall ({VARS} {vars}) (=> {matrix} (p a b n))))")
    };
    let clauses: Vec<String> = interpretation.iter().map(clause).collect();
    let said = read(&t, format!("{declared} {}", clauses.join(" ")));
    let params = ["a", "b", "n"].map(|name| {
        let sort = match name {
            "n" => Sort::INT,
            _ => t.array_sort(Sort::INT, Sort::INT),
        };
        t.var(name, sort)
    });
    let conjuncts = said.clause_ids().map(|id| {
        let clause = said.clause(id);
        let args = &clause.head.as_ref().expect("it derives p").args;
        let named = args.iter().copied().zip(params);
        let mut bound = clause.vars.clone();
        bound.retain(|var| !args.contains(var));
        t.substitute(t.forall(&bound, clause.constraint), named)
    });
    let model = Model {
        interpretations: vec![Interpretation {
            params: params.to_vec(),
            body: t.and(conjuncts),
        }],
    };
    let denied = format!(
        "{declared} (assert (forall ({VARS} (c Int)) (=> (and (p a b n) {premise}) false)))"
    );
    let system = read(&t, denied);
    let backend = native();
    let mut solvers = || backend.proving().solver(&t, "check");
    match check_model(&t, &system, &model, &mut solvers, &Limit::none()) {
        Ok(()) => "accepted",
        Err(ModelError::Refused { .. }) => "refused",
        Err(ModelError::NotDecided { .. }) => "not decided",
        Err(malformed) => panic!("{malformed}"),
    }
}

#[test]
fn arrays_that_differ_do_so_at_some_index() {
    let same = ("(k Int)", "(= (select a k) (select b k))");
    assert_eq!(checked(&[same], "(distinct a b)"), "accepted");
    let below = ("(k Int)", "(or (<= n k) (= (select a k) (select b k)))");
    assert_eq!(checked(&[below], "(distinct a b)"), "refused");
    let above = ("(k Int)", "(or (< k n) (= (select a k) (select b k)))");
    assert_eq!(checked(&[below, above], "(distinct a b)"), "accepted");
    let stored = "(distinct a (store b n (select a n)))";
    assert_eq!(checked(&[below], stored), "refused");
    assert_eq!(checked(&[same], stored), "accepted");
}

#[test]
fn bounds_of_variables_are_instances() {
    assert_eq!(checked(&[("(k Int)", "(< k n)")], "true"), "accepted");
    let outside = ("(k Int)", "(or (< k n) (< (+ n 2) k))");
    assert_eq!(checked(&[outside], "true"), "accepted");
    // The pair of variables with this difference is no pair of indices or bounds.
    let apart = (
        "(j Int) (k Int)",
        "(or (< j n) (< k (+ j 5)) (< (+ n 9) k))",
    );
    assert_eq!(checked(&[apart], "true"), "accepted");
}

#[test]
fn instances_bring_terms_for_others() {
    let constant = "(or (< k 0) (<= n k) (= (select a (+ k 1)) (select a k)))";
    for to in [1, 2, 6] {
        let ends = format!("(= n {to}) (= (select a 0) 7) (distinct (select a n) 7)");
        assert_eq!(checked(&[("(k Int)", constant)], &ends), "accepted");
    }
    let shifted = "(or (distinct k (+ j 3)) (= (select a k) (select b j)))";
    let read = "(= (select a n) 1) (distinct (select b (- n 3)) 1)";
    assert_eq!(checked(&[("(j Int) (k Int)", shifted)], read), "accepted");
    let moved = ("(k Int)", "(< (select a (+ k n)) 0)");
    assert_eq!(checked(&[moved], "(<= 0 (select a 5))"), "accepted");
}

#[test]
fn what_fails_is_refused() {
    let natural = ("(k Int)", "(or (< k 0) (<= n k) (<= 0 (select a k)))");
    let negative = |n: &str| format!("(< {n} n) (< (select a 5) 0)");
    assert_eq!(checked(&[natural], &negative("5")), "accepted");
    assert_eq!(checked(&[natural], &negative("4")), "refused");
    let same = ("(k Int)", "(= (select a k) (select b k))");
    assert_eq!(checked(&[same], "(= (select a 0) 1)"), "refused");
    let sorted = (
        "(j Int) (k Int)",
        "(or (< k j) (<= (select a j) (select a k)))",
    );
    let falls = "(< (select a 3) (select a 2))";
    assert_eq!(checked(&[sorted], falls), "accepted");
    let rises = "(< (select a 2) (select a 3))";
    assert_eq!(checked(&[sorted], rises), "refused");
}

/// Arrays that are written or not in many steps share their parts.
#[test]
fn many_ways_to_an_array_are_read_at_once() {
    let step = |i: usize| {
        let before = match i {
            0 => "a".to_owned(),
            _ => format!("a{i}"),
        };
        format!(
            "(let ((a{} (ite (< c {i}) (store {before} c {i}) {before}))) ",
            i + 1
        )
    };
    let natural = ("(k Int)", "(<= 0 (select a k))");
    let after = |relation: &str| {
        let steps: String = (0..24).map(step).collect();
        format!("{steps} ({relation} (select a24 n) 0) {}", ")".repeat(24))
    };
    assert_eq!(checked(&[natural], &after("<")), "accepted");
    assert_eq!(checked(&[natural], &after("<=")), "refused");
}

/// A variable of the clause that has the name and the sort of a bound one is not bound.
#[test]
fn names_are_not_mixed_up() {
    let zero = ("(c Int)", "(or (< c n) (= (select a c) 0))");
    let above = "(< n c) (distinct (select a c) 0)";
    assert_eq!(checked(&[zero], above), "accepted");
    let below = "(< c n) (distinct (select a c) 0)";
    assert_eq!(checked(&[zero], below), "refused");
}
