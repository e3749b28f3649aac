//! Deep nesting: 100,000 levels, on a thread with a small stack.

use horn::chc::Classification;
use horn::smtlib::{Source, read_system, system_text};
use horn::term::Terms;

const DEPTH: usize = 100_000;

/// Reads, classifies, prints and reads again a text, with a stack of 256 KiB.
fn check(name: &str, text: String) {
    let run = move || {
        let t = Terms::new();
        let source = Source::from_text("deep", text);
        let system = read_system(&t, &source).unwrap_or_else(|error| panic!("{error}"));
        assert!(Classification::of(&t, &system).nodes > 0);
        let again = Source::from_text("again", system_text(&t, &system).to_string());
        let u = Terms::new();
        let second = read_system(&u, &again).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(system.fingerprint(&t), second.fingerprint(&u));
    };
    let thread = std::thread::Builder::new()
        .stack_size(256 * 1024)
        .name(name.to_owned())
        .spawn(run)
        .expect("a thread");
    thread.join().expect("no overflow, no panic");
}

/// An assertion whose formula is `inner` between so many openings and closings.
fn nested(opening: &str, inner: &str, closing: &str) -> String {
    let formula = format!("{}{inner}{}", opening.repeat(DEPTH), closing.repeat(DEPTH));
    format!(
        "(declare-fun p (Int) Bool)(declare-fun n () Bool)\
         (assert (forall ((x Int) (y Int) (r Real) (c Bool) (a (Array Int Int))) (=> (and (p x) {formula}) n)))"
    )
}

#[test]
fn formulas() {
    check("not", nested("(not ", "(< x y)", ")"));
    check("and", nested("(and c ", "(< x y)", ")"));
    check("and, the other way", nested("(and ", "(< x y)", " c)"));
    check(
        "or below and",
        nested("(or c (and (< x 3) ", "(< x y)", "))"),
    );
    check("implication", nested("(=> c ", "(< x y)", ")"));
    check("equality", nested("(= c ", "(< x y)", ")"));
    check("exclusive or", nested("(xor c ", "(< x y)", ")"));
    check("ite", nested("(ite c (< x 3) ", "(< x y)", ")"));
    check("annotations", nested("(! ", "(< x y)", " :weight 1)"));
    check("predicates in the body", nested("(and n ", "(p y)", ")"));
    let head = format!(
        "{}(p x){}",
        "(=> n (or (not c) ".repeat(DEPTH),
        "))".repeat(DEPTH)
    );
    check(
        "predicates in the head",
        format!(
            "(declare-fun p (Int) Bool)(declare-fun n () Bool)(assert (forall ((x Int) (c Bool)) {head}))"
        ),
    );
}

#[test]
fn terms() {
    let term = |opening: &str, inner: &str, closing: &str| {
        nested(
            "",
            &format!(
                "(= x {}{inner}{})",
                opening.repeat(DEPTH),
                closing.repeat(DEPTH)
            ),
            "",
        )
    };
    check("sum", term("(+ x ", "y", ")"));
    check("sum, the other way", term("(+ ", "y", " x)"));
    check("difference", term("(- x ", "y", ")"));
    check("absolute value", term("(abs ", "y", ")"));
    check("division", term("(div ", "y", " 2)"));
    check("ite", term("(ite c x ", "y", ")"));
    check("select", term("(select a ", "y", ")"));
    check(
        "store",
        nested(
            "",
            &format!(
                "(= a {}a{})",
                "(store ".repeat(DEPTH),
                " x y)".repeat(DEPTH)
            ),
            "",
        ),
    );
    check("let", term("(let ((y (+ y 1))) ", "y", ")"));
    check(
        "let in the value",
        term("(let ((y ", "x", ")) (ite c y x))"),
    );
}

#[test]
fn chains_of_let() {
    let chain = |value: &dyn Fn(usize) -> String| -> String {
        let mut text = String::new();
        for at in 1..=DEPTH {
            text += &format!("(let ((l{at} {})) ", value(at));
        }
        let formula = format!("(let ((l0 (< x y))) {text}l{DEPTH}{})", ")".repeat(DEPTH));
        nested("", &formula, "")
    };
    check("not", chain(&|at| format!("(not l{})", at - 1)));
    check("and", chain(&|at| format!("(and l{} (< x {at}))", at - 1)));
    check(
        "ite",
        chain(&|at| format!("(ite (< x {at}) c l{})", at - 1)),
    );
}

#[test]
fn wide_terms() {
    let many = |item: &str| item.repeat(DEPTH);
    check(
        "and",
        nested("", &format!("(and {})", many("(< x 1) (< y 2) ")), ""),
    );
    check(
        "sum",
        nested("", &format!("(< 0 (+ {}))", many("x y ")), ""),
    );
    check("equation", nested("", &format!("(= {})", many("x y ")), ""));
    let numbered: String = (0..DEPTH).map(|at| format!("(< x {at}) ")).collect();
    check("or", nested("", &format!("(or {numbered})"), ""));
}
