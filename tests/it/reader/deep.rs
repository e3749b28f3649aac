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

/// An assertion whose formula is `inner` between that many openings and closings.
fn nested(opening: &str, inner: &str, closing: &str) -> String {
    let formula = format!("{}{inner}{}", opening.repeat(DEPTH), closing.repeat(DEPTH));
    format!(
        "(declare-fun p (Int) Bool)(declare-fun n () Bool)(declare-fun m () Bool)\
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
    check("predicates in the body", nested("(and m ", "(p y)", ")"));
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

/// The terms of the store after reading a text, and their arguments, all together.
fn store_size(text: String) -> (usize, usize) {
    let t = Terms::new();
    let source = Source::from_text("chain", text);
    read_system(&t, &source).unwrap_or_else(|error| panic!("{error}"));
    let arguments = t.terms_from(0).map(|term| t.args(term).len()).sum();
    (t.len(), arguments)
}

/// Ten times the text may make ten times the terms, and ten times the arguments, but (a few apart)
/// no more.
fn check_linear(name: &str, text: impl Fn(usize) -> String) {
    let (few, few_arguments) = store_size(text(DEPTH / 10));
    let (many, many_arguments) = store_size(text(DEPTH));
    assert!(many <= 10 * few + 10, "{name}: {few} terms become {many}");
    assert!(
        many_arguments <= 10 * few_arguments + 10,
        "{name}: {few_arguments} arguments become {many_arguments}"
    );
    assert!(many <= 12 * DEPTH, "{name}: {many} terms");
}

#[test]
fn chains_of_junctions_stay_linear() {
    let assertion = |formula: String| {
        format!(
            "(declare-fun p (Int) Bool)(declare-fun n () Bool)(declare-fun m () Bool)\
             (assert (forall ((x Int)) (=> (and (p x) {formula}) n)))"
        )
    };
    for op in ["and", "or"] {
        check_linear(&format!("{op} in {op}, to the left"), |depth| {
            let closing: String = (0..depth).map(|at| format!(" (< x {at}))")).collect();
            assertion(format!(
                "{}(< x 0){closing}",
                format!("({op} ").repeat(depth)
            ))
        });
        check_linear(&format!("{op} in {op}, to the right"), |depth| {
            let opening: String = (0..depth).map(|at| format!("({op} (< x {at}) ")).collect();
            assertion(format!("{opening}(< x 0){}", ")".repeat(depth)))
        });
        check_linear(&format!("{op} in {op}, three at a time"), |depth| {
            let opening = |at| format!("({op} (< x {at}) ");
            let opening: String = (0..depth).map(opening).collect();
            let closing: String = (0..depth).map(|at| format!(" (= x {at}))")).collect();
            assertion(format!("{opening}(< x 0){closing}"))
        });
        check_linear(&format!("{op} by let"), |depth| {
            let link = |at: usize| format!("(let ((l{} ({op} l{at} (< x {at})))) ", at + 1);
            let links: String = (0..depth).map(link).collect();
            let closing = ")".repeat(depth);
            assertion(format!("(let ((l0 (= x 0))) {links}l{depth}{closing})"))
        });
        check_linear(&format!("{op} by let, all names used"), |depth| {
            let link = |at: usize| format!("(let ((l{} ({op} l{at} (< x {at})))) ", at + 1);
            let links: String = (0..depth).map(link).collect();
            let names: String = (0..depth).map(|at| format!("l{at} ")).collect();
            let closing = ")".repeat(depth);
            assertion(format!(
                "(let ((l0 (= x 0))) {links}({op} {names}){closing})"
            ))
        });
    }
    check_linear("predicates by let", |depth| {
        let link = |at: usize| format!("(let ((l{} (and l{at} (p {at})))) ", at + 1);
        let links: String = (0..depth).map(link).collect();
        let closing = ")".repeat(depth);
        assertion(format!("(let ((l0 (p x))) {links}l{depth}{closing})"))
    });
    check_linear("annotations", |depth| {
        let closing: String = (0..depth).map(|at| format!(" :named n{at})")).collect();
        assertion(format!("{}(< x 0){closing}", "(! ".repeat(depth)))
    });
}

/// Shared formulas whose unfolding has 2^1000 parts and more.
#[test]
fn shared_junctions_are_opened_once() {
    let text = |op: &str, inner: &str| {
        let link = |at: usize| {
            let (a, b) = (format!("a{}", at - 1), format!("b{}", at - 1));
            format!("(let ((a{at} ({op} {a} {b} (< x {at}))) (b{at} ({op} {b} {a} (= x {at})))) ")
        };
        let links: String = (1..=1000).map(link).collect();
        let formula = format!(
            "(let ((a0 (< y 1)) (b0 (< y 2))) {links}({inner} a1000 b1000){}",
            ")".repeat(1001)
        );
        format!(
            "(declare-fun p (Int) Bool)(assert (forall ((x Int) (y Int)) (=> {formula} (p x))))"
        )
    };
    check("and", text("and", "and"));
    check("or", text("or", "or"));
    check(
        "not and",
        text("and", "not and").replace("(not and a1000 b1000)", "(not (and a1000 b1000))"),
    );
    check(
        "not or",
        text("or", "not or").replace("(not or a1000 b1000)", "(not (or a1000 b1000))"),
    );
}

/// Few lines of definitions that would stand for more than the memory holds are refused.
#[test]
fn exponential_definitions_are_refused() {
    let refused = |text: &str, expected: &str| {
        let source = Source::from_text("short", text);
        let error = read_system(&Terms::new(), &source).expect_err("too large");
        assert!(error.to_string().contains(expected), "{error}");
    };
    let links = |link: &dyn Fn(usize) -> String| (1..60).map(link).collect::<String>();
    refused(
        &format!(
            "(define-fun f0 ((x Int)) Int (abs (+ x 1))){}",
            links(&|at| format!("(define-fun f{at} ((x Int)) Int (f{0} (f{0} x)))", at - 1))
        ),
        "definitions and `distinct` that stand for more than 8388608 terms",
    );
    refused(
        &format!(
            "(define-sort S0 (X) (Array X X)){}",
            links(&|at| format!("(define-sort S{at} (X) (S{0} (S{0} X)))", at - 1))
        ),
        "sorts of more than 10000 parts",
    );
    refused(
        &format!(
            "(define-sort S (X) (Array X X))(declare-fun p ({}Int{}) Bool)",
            "(S ".repeat(100),
            ")".repeat(100)
        ),
        "sorts of more than 10000 parts",
    );
    let names: String = (0..3000).map(|at| format!("(x{at} Int)")).collect();
    let terms: String = (0..3000).map(|at| format!("x{at} ")).collect();
    refused(
        &format!("(assert (forall ({names}) (distinct {terms})))"),
        "definitions and `distinct` that stand for more than 8388608 terms",
    );
    let items = |item: &str, count: usize| -> String {
        (0..count).map(|at| format!("({item} {at}) ")).collect()
    };
    refused(
        &format!(
            "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun n () Bool)\
             (assert (=> (and {}(or {})) n))",
            items("p", 10_000),
            items("q", 10_000)
        ),
        "more than 2097152 parts in common",
    );
}
