//! Inputs that are out to hurt: very deep, very long, very many, exponential. Each gets a verdict,
//! or an error with its place, in less than 2 GB.

use super::HORN_SOLVE;
use crate::program::text;

/// How deep, how long, how many.
const SIZE: usize = 1_000_000;
/// The most bytes that are resident.
const MOST: u64 = 2 << 30;

/// A system about one predicate of an integer: 1 to 1000 are derivable.
fn counter(rest: &str) -> String {
    format!(
        "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (p 1))\n\
         (assert (forall ((x Int)) (=> (and (p x) (< x 1000)) (p (+ x 1)))))\n{rest}\n(check-sat)\n"
    )
}

/// A query of the counter with this condition.
fn query(condition: &str) -> String {
    counter(&format!(
        "(assert (forall ((x Int)) (=> (and (p x) {condition}) false)))"
    ))
}

/// A term between that many openings and closings.
fn nested(opening: &str, inner: &str, times: usize) -> String {
    format!("{}{inner}{}", opening.repeat(times), ")".repeat(times))
}

/// The definitions `y1` to `y{levels}`, each by the one before, around a formula.
fn lets(first: &str, next: impl Fn(usize) -> String, levels: usize, formula: &str) -> String {
    let mut out = format!("(let ((y0 {first})) ");
    for level in 0..levels {
        out.push_str(&format!("(let ((y{} {})) ", level + 1, next(level)));
    }
    out + formula + &")".repeat(levels + 1)
}

/// What an input is to come to.
enum Expected {
    /// This verdict, or `unknown` where the machine is too slow.
    Verdict(&'static str),
    /// An error at this place.
    Error(&'static str),
}

use Expected::{Error, Verdict};

#[track_caller]
fn check(what: &str, input: &str, expected: Expected) {
    let child = HORN_SOLVE.start(
        &["--solver", "native", "--timeout", "8", "--stats=json"],
        input,
    );
    let output = child.wait_with_output().expect("it ends");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let start: String = out.chars().take(200).collect();
    match expected {
        Error(place) => {
            assert!(err.contains(place), "{what}: {start}");
            assert_eq!(output.status.code(), Some(1), "{what}");
        }
        Verdict(verdict) => {
            let first = out.lines().next().unwrap_or_default();
            assert!(first == verdict || first == "unknown", "{what}: {start}");
            assert_eq!(output.status.code(), Some(0), "{what}");
            let stats = out.lines().chain(err.lines()).find(|l| l.starts_with('{'));
            // There are none if the limit came before a check began.
            let Some(stats) = stats else { return };
            let stats: serde_json::Value = serde_json::from_str(stats).expect("it is JSON");
            let peak = stats["peak-memory"].as_u64().expect("Linux measures it");
            assert!(peak < MOST, "{what}: {peak} bytes");
        }
    }
}

#[test]
fn deep_inputs() {
    let not = nested("(not ", "(> x 5)", SIZE);
    check("not", &query(&not), Verdict("unsat"));
    let sum = format!("(= x {})", nested("(+ 1 ", "x", SIZE));
    check("sum", &query(&sum), Verdict("sat"));
    let choice = format!("(> {} 0)", nested("(ite (> x 1) x ", "x", SIZE));
    check("ite", &query(&choice), Verdict("unsat"));
    let (either, both) = (
        "(or (> x 1) (and (< x 5) ".repeat(SIZE / 2),
        "))".repeat(SIZE / 2),
    );
    let choice = format!("{either}(= x 2){both}");
    check("or", &query(&choice), Verdict("unsat"));
    let product = format!("(= x {})", nested("(* 3 ", "1", SIZE / 10));
    check("product", &query(&product), Verdict("sat"));
    let all = nested("(forall ((x Int)) ", "(p x)", SIZE);
    check("forall", &counter(&format!("(assert {all})")), Error(":5:"));
    let sort = format!(
        "(declare-fun q ({}) Bool)",
        nested("(Array Int ", "Int", SIZE)
    );
    check("sort", &counter(&sort), Error(":5:"));
    check("parentheses", &"(".repeat(SIZE), Error(":1:2"));
}

#[test]
fn long_inputs() {
    let name = "a".repeat(10 * SIZE);
    let named = format!("(declare-fun {name} (Int) Bool)\n(assert ({name} 0))");
    check("name", &counter(&named), Verdict("sat"));
    let digits = format!("(= x 1{})", "7".repeat(SIZE));
    check("digits", &query(&digits), Verdict("sat"));
    let comment = format!("(set-info :source \"{}\")", "x".repeat(50 * SIZE));
    check("string", &counter(&comment), Verdict("sat"));
    let wide = "(declare-fun q ((_ BitVec 1000000000)) Bool)";
    check("width", &counter(wide), Error(":5:"));
}

#[test]
fn many_things() {
    let sorts = "Int ".repeat(SIZE);
    let many = format!(
        "(declare-fun q ({sorts}) Bool)\n(assert (q {}))",
        "0 ".repeat(SIZE)
    );
    check("arguments", &counter(&many), Verdict("sat"));
    let vars: String = (0..SIZE / 4).map(|i| format!("(x{i} Int)")).collect();
    let above: String = (0..SIZE / 4).map(|i| format!("(> x{i} {i})")).collect();
    let clause = format!("(assert (forall ({vars}) (=> (and {above}) (p x0))))");
    check("variables", &counter(&clause), Verdict("sat"));
    check("scopes", &counter(&"(push 1)".repeat(SIZE)), Verdict("sat"));
}

#[test]
fn exponential_definitions() {
    let sums = lets("x", |i| format!("(+ y{i} y{i})"), 100, "(> y100 0)");
    check("sums", &query(&sums), Verdict("unsat"));
    let next = |i| format!("(and y{i} (or y{i} (> x {i})))");
    let formulas = lets("(> x 0)", next, 100, "y100");
    check("formulas", &query(&formulas), Verdict("unsat"));
    let next = |i| format!("(ite (> y{i} {i}) (* 2 y{i}) (- y{i} 1))");
    let choices = lets("x", next, 100, "(> y100 5)");
    check("choices", &query(&choices), Verdict("unsat"));
    let squares = lets("3", |i| format!("(* y{i} y{i})"), 60, "(> y60 5)");
    check("squares", &query(&squares), Verdict("unsat"));
}
