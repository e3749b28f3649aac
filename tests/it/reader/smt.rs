//! Scripts for SMT solvers: the steps that a reader hands out.

use horn::smtlib::{SmtReader, SmtStep, Source, Uninterpreted};
use horn::term::{Term, Terms};

/// A step in short; terms as they are printed, with their text behind a `|` where it differs.
fn show(t: &Terms, source: &Source, step: &SmtStep) -> String {
    let listed = |terms: &[(Term, horn::chc::Span)]| {
        let show = |&(term, span): &(Term, horn::chc::Span)| {
            let (term, text) = (t.display(term).to_string(), source.slice(span));
            if term == text {
                term
            } else {
                format!("{term}|{text}")
            }
        };
        terms.iter().map(show).collect::<Vec<_>>().join(", ")
    };
    match step {
        SmtStep::Assert {
            formula,
            name,
            text,
        } => {
            let name = name.map_or("", |name| t.name(name));
            format!("{name}: {}", listed(&[(*formula, *text)]))
        }
        SmtStep::Check(assumptions) => format!("check [{}]", listed(assumptions)),
        SmtStep::GetValue(terms) => format!("values [{}]", listed(terms)),
        SmtStep::GetInterpolants(parts) => {
            let names = |group: &Vec<horn::smtlib::ast::Name>| {
                let names = group.iter().map(|name| t.name(name.symbol));
                names.collect::<Vec<_>>().join("+")
            };
            let names = parts
                .names
                .iter()
                .map(names)
                .collect::<Vec<_>>()
                .join(" | ");
            format!("{names} {:?}", parts.parents)
        }
        other => format!("{other:?}"),
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let t = Terms::new();
    let source = Source::from_text("t", text);
    let mut reader = SmtReader::new(&t, &source);
    let mut steps = Vec::new();
    loop {
        match reader.next_step() {
            Ok(None) => break,
            Ok(Some((SmtStep::Declared, _))) => {}
            Ok(Some((step, _))) => steps.push(show(&t, &source, &step)),
            Err(error) => {
                steps.push(format!("{}: {}", error.position(), error.issue()));
                assert!(matches!(reader.next_step(), Ok(None)));
            }
        }
    }
    assert_eq!(steps, expected, "the steps of {text}");
}

#[test]
fn constants_are_variables_and_functions_are_applied() {
    check(
        "(declare-const x Int)(declare-fun p () Bool)(declare-fun f (Int Real) Int)(declare-sort U 0)(declare-fun g (U) U)\
         (declare-const u U)(assert (=> p (= (f x x) (* 2 x))))(assert (= (g u) u))(assert (forall ((x Int)) (> x 0)))",
        &[
            ": (or (not p) (= (f x (to_real x)) (* 2 x)))|(=> p (= (f x x) (* 2 x)))",
            ": (= u (g u))|(= (g u) u)",
            ": (forall ((x!0 Int)) (< 0 x!0))|(forall ((x Int)) (> x 0))",
        ],
    );
    let t = Terms::new();
    let source = Source::from_text(
        "t",
        "(declare-const x Int)(declare-fun f (Int) Int)(push)(declare-const y Int)(pop)",
    );
    let mut reader = SmtReader::new(&t, &source);
    let mut counts = Vec::new();
    while let Ok(Some(_)) = reader.next_step() {
        counts.push(reader.declared().len());
    }
    assert_eq!(counts, [1, 2, 2, 3, 2]);
    assert!(matches!(
        reader.declared(),
        [Uninterpreted::Constant(x), Uninterpreted::Function(_)] if t.display(*x).to_string() == "x"
    ));
}

#[test]
fn names_are_definitions_to_the_end_of_their_scope() {
    check(
        "(declare-const x Int)(push)(assert (! (< (! (+ x 1) :named y) 3) :named a))(check-sat-assuming ((not a) (> y 0)))\
         (get-value (y (! x :named z)))(pop)(declare-const y Bool)(assert y)(assert a)",
        &[
            "Push(1)",
            "a: (< (+ x 1) 3)|(! (< (! (+ x 1) :named y) 3) :named a)",
            "check [(<= 3 (+ x 1))|(not a), (< 0 (+ x 1))|(> y 0)]",
            "values [(+ x 1)|y, x|(! x :named z)]",
            "Pop(1)",
            ": y",
            "1:189: unknown constant or function `a`",
        ],
    );
    check(
        "(declare-const a Bool)(assert (! true :named a))",
        &["1:46: `a` is already declared"],
    );
}

#[test]
fn questions_and_options() {
    check(
        "(get-interpolants a (and b |c d|) e)(set-option :timeout 100)(set-option :timeout 4294967295)(set-option :tlimit-per 0)\
         (set-option :produce-proofs true)(set-option :foo (bar))(get-assignment)(reset)(exit)(oops",
        &[
            "a | b+c d | e [1, 2]",
            "SetOption(Timeout(Some(100)))",
            "SetOption(Timeout(None))",
            "SetOption(Timeout(None))",
            "SetOption(ProduceProofs(true))",
            "Unsupported(\":foo\")",
            "Unsupported(\"get-assignment\")",
            "Reset",
            "Exit",
        ],
    );
    for (text, expected) in [
        (
            "(set-option :timeout soon)",
            "1:22: :timeout is a number".to_owned(),
        ),
        ("(pop)", "1:1: pop of 1 with 0 scopes open".to_owned()),
        (
            "(rule true)",
            "1:1: not supported: the command `rule`".to_owned(),
        ),
        (
            "(get-value ())",
            "1:13: unexpected `)`, expected a term".to_owned(),
        ),
    ] {
        check(text, &[&expected]);
    }
}

#[test]
fn a_script_may_come_in_parts() {
    let t = Terms::new();
    let parts = [
        "(declare-const x Int)\n",
        "",
        "(assert (< x 1))\n(assert y)",
    ];
    let parts = parts.map(|text| Source::from_text("t", text));
    let last = Source::from_text("t", "(assert (< x 1))\n(assert y)").after_lines(1);
    let mut reader = SmtReader::new(&t, &parts[0]);
    assert!(matches!(
        reader.next_step(),
        Ok(Some((SmtStep::Declared, _)))
    ));
    assert!(matches!(reader.next_step(), Ok(None)));
    reader.continue_with(&parts[1]);
    assert!(matches!(reader.next_step(), Ok(None)));
    reader.continue_with(&last);
    assert!(matches!(
        reader.next_step(),
        Ok(Some((SmtStep::Assert { .. }, _)))
    ));
    let error = reader.next_step().expect_err("an unknown name");
    assert_eq!(error.position().to_string(), "3:9");
    reader.continue_with(&parts[2]);
    assert!(
        matches!(reader.next_step(), Ok(None)),
        "an error ends the script"
    );
}

#[test]
fn parts_of_interpolants_are_a_tree() {
    for (parts, expected) in [
        ("a b c", "a | b | c [1, 2]"),
        ("a", "a []"),
        ("a (b) c", "a | b | c [2, 2]"),
        ("(a) (b) c", "a | b | c [2, 2]"),
        ("a (b c) d", "a | b | c | d [3, 2, 3]"),
        (
            "a (b (c) d) e (f) g",
            "a | b | c | d | e | f | g [4, 3, 3, 4, 6, 6]",
        ),
        ("(and a b) ((and c d)) (and e)", "a+b | c+d | e [2, 2]"),
        ("(((a) (b) c) d) e", "a | b | c | d | e [2, 2, 3, 4]"),
    ] {
        check(&format!("(get-interpolants {parts})"), &[expected]);
    }
    let part = "a part is NAME or (and NAME …)";
    let root = "after a subtree comes the part that it is below";
    for (text, expected) in [
        (
            "(get-interpolants a (and b (and c)))",
            format!("1:28: {part}"),
        ),
        ("(get-interpolants a (and))", format!("1:21: {part}")),
        ("(get-interpolants a (b c))", format!("1:25: {root}")),
        ("(get-interpolants a (b (c)) d)", format!("1:27: {root}")),
        ("(get-interpolants (a))", format!("1:21: {root}")),
        (
            "(get-interpolants 1)",
            "1:19: unexpected `1`, expected `(` or a symbol".to_owned(),
        ),
        (
            "(get-interpolants)",
            "1:18: unexpected `)`, expected `(` or a symbol".to_owned(),
        ),
    ] {
        check(text, &[&expected]);
    }
}
