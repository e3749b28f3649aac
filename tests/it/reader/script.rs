//! Scripts: the steps that a reader hands out, and the system at each check.

use super::{read, show_all};
use horn::smtlib::{Reader, Source, Step};
use horn::term::Terms;

/// The steps of a script, a check with the clauses at that moment.
fn steps(text: &str) -> Vec<String> {
    let t = Terms::new();
    let source = Source::from_text("t", text);
    let mut reader = Reader::new(&t, &source);
    let mut out = Vec::new();
    loop {
        match reader.next_step() {
            Ok(None) => break,
            Ok(Some(Step::Check { polarity, .. })) => {
                out.push(format!(
                    "{polarity:?}? {}",
                    show_all(&t, reader.system()).join("; ")
                ));
            }
            Ok(Some(step)) => out.push(format!("{step:?}")),
            Err(error) => {
                out.push(error.smtlib_text());
                assert!(
                    matches!(reader.next_step(), Ok(None)),
                    "an error ends the script"
                );
                break;
            }
        }
        out.extend(
            reader
                .take_notes()
                .into_iter()
                .map(|note| format!("note: {}", note.message)),
        );
    }
    out.extend(
        reader
            .take_notes()
            .into_iter()
            .map(|note| format!("note: {}", note.message)),
    );
    out
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(steps(text), expected, "the steps of {text}");
}

#[test]
fn several_checks() {
    check(
        "(set-logic HORN)(declare-fun p () Bool)(assert p)(check-sat)(assert (not p))(check-sat)(get-model)(get-proof)\
         (get-info :reason-unknown)(echo \"a \"\"b\"\"\")(exit)(assert foo)",
        &[
            "SetLogic(\"HORN\")",
            "Satisfiable? [] true -> p",
            "Satisfiable? [] true -> p; [] p -> false",
            "GetModel",
            "GetProof",
            "GetInfo(\":reason-unknown\")",
            "Echo(\"a \\\"b\\\"\")",
            "Exit",
        ],
    );
    check("", &[]);
    check("(check-sat)", &["Satisfiable? "]);
}

#[test]
fn scopes() {
    check(
        "(declare-fun p () Bool)(push 2)(declare-fun q () Bool)(assert (=> p q))(check-sat)(pop)(check-sat)(pop 1)\
         (declare-fun q (Int) Bool)(assert (q 1))(check-sat)",
        &[
            "Push(2)",
            "Satisfiable? [] p -> q",
            "Pop(1)",
            "Satisfiable? ",
            "Pop(1)",
            "Satisfiable? [] true -> (q 1)",
        ],
    );
    check(
        "(push)(declare-datatype T ((a)))(pop)(declare-datatype T ((b) (a)))",
        &["Push(1)", "Pop(1)"],
    );
    check(
        "(push)(define-fun f () Int 1)(declare-sort S 0)(pop)(define-fun f () Int 2)(declare-sort S 1)",
        &["Push(1)", "Pop(1)"],
    );
    check(
        "(pop)",
        &["(error \"line 1 column 1: pop of 1 with 0 scopes open\")"],
    );
    check(
        "(push)(pop 3)",
        &[
            "Push(1)",
            "(error \"line 1 column 12: pop of 3 with 1 scopes open\")",
        ],
    );
    check(
        "(push 99999999999)",
        &["(error \"line 1 column 7: not supported: 99999999999 scopes\")"],
    );
    check(
        "(declare-fun p () Bool)(assert p)(push)(reset)(declare-fun p () Bool)(check-sat)",
        &["Push(1)", "Reset(true)", "Satisfiable? "],
    );
    check(
        "(declare-fun p () Bool)(assert p)(reset-assertions)(declare-fun p () Bool)(check-sat)",
        &["Reset(false)", "Satisfiable? "],
    );
}

/// A name that another solver would take for a function is not printed.
#[test]
fn names_of_clauses_that_functions_have_are_left_out() {
    let text = "(declare-fun p () Bool)(declare-fun q () Bool)(assert (! p :named -))(assert (! q :named p))\
        (assert (! (=> p q) :named step))";
    let t = Terms::new();
    let source = Source::from_text("t", text);
    let system = horn::smtlib::read_system(&t, &source).expect("it is well formed");
    assert_eq!(
        show_all(&t, &system),
        ["-: [] true -> p", "p: [] true -> q", "step: [] p -> q"]
    );
    assert_eq!(
        horn::smtlib::system_text(&t, &system).to_string(),
        "(set-logic HORN)\n(declare-fun p () Bool)\n(declare-fun q () Bool)\n(assert p)\n(assert q)\n\
         (assert (! (=> p q) :named step))\n(check-sat)\n"
    );
}

#[test]
fn options() {
    check(
        "(set-option :timeout 1000)(set-option :produce-models true)(set-option :produce-proofs false)\
         (set-option :fp.engine spacer)(set-option :timeout never)(set-info :status sat)(set-info :source |a b|)",
        &[
            "SetOption(Timeout(1000))",
            "SetOption(ProduceModels(true))",
            "SetOption(ProduceProofs(false))",
            "SetInfo(\":status\", \"sat\")",
            "note: the option :fp.engine spacer is ignored",
            "note: the option :timeout never is ignored",
            "SetInfo(\":source\", \"|a b|\")",
        ],
    );
}

#[test]
fn the_rule_dialect() {
    check(
        "(declare-rel p (Int Int))(declare-rel q ())(declare-var x Int)(declare-var y Int)(declare-var x Int)\
         (rule (p 0 0))(rule (=> (and (p x y) (< x 9)) (p (+ x 1) y)) step)(rule (=> (p x 5) q) bad)\
         (query q)(query p :print-certificate true)(query (and (p x y) (< x y)))(check-sat)",
        &[
            "Reachable? [] true -> (p 0 0); step: [x y] (p x y) & (< x 9) -> (p (+ x 1) y); bad: [x] (p x 5) -> q; [] q -> false",
            "Reachable? [] true -> (p 0 0); step: [x y] (p x y) & (< x 9) -> (p (+ x 1) y); bad: [x] (p x 5) -> q; \
             [i!0 i!1] (p i!0 i!1) -> false",
            "Reachable? [] true -> (p 0 0); step: [x y] (p x y) & (< x 9) -> (p (+ x 1) y); bad: [x] (p x 5) -> q; \
             [x y] (p x y) & (< x y) -> false",
            "Satisfiable? [] true -> (p 0 0); step: [x y] (p x y) & (< x 9) -> (p (+ x 1) y); bad: [x] (p x 5) -> q",
        ],
    );
    check(
        "(declare-rel p (Int))(declare-var x Int)(define-fun f ((a Int)) Bool (exists ((x Int)) (and (p x) (< a x))))\
         (rule (=> (and (p x) (f 1)) (p 3)))(check-sat)",
        &["Satisfiable? [x!0 x] (p x) & (p x!0) & (< 1 x!0) -> (p 3)"],
    );
    check(
        "(declare-var x Int)(declare-var x Bool)",
        &["(error \"line 1 column 33: `x` is already declared\")"],
    );
}

#[test]
fn what_stands_before_an_error_takes_effect() {
    check(
        "(declare-fun p () Bool)(assert p)(check-sat)\n(assert q)",
        &[
            "Satisfiable? [] true -> p",
            "(error \"line 2 column 9: unknown constant or function `q`\")",
        ],
    );
    check(
        "(check-sat)(foo)",
        &[
            "Satisfiable? ",
            "(error \"line 1 column 13: unknown command `foo`\")",
        ],
    );
    check(
        "(check-sat)(assert (",
        &[
            "Satisfiable? ",
            "(error \"line 1 column 12: this command is not closed: the input ends with 2 open parentheses\")",
        ],
    );
    check(
        "(get-value (x))",
        &["(error \"line 1 column 2: not supported: the command `get-value`\")"],
    );
    check(
        "(check-sat-assuming (p))",
        &["(error \"line 1 column 1: not supported: the command `check-sat-assuming`\")"],
    );
    check(
        "(assert \"a\"\"b",
        &["(error \"line 1 column 12: this string is not closed: the final '\"\"' is missing\")"],
    );
}

#[test]
fn a_system_is_read_up_to_its_first_check() {
    assert_eq!(
        read("(declare-fun p () Bool)(assert p)(check-sat)(assert (not p))"),
        ["[] true -> p"]
    );
    assert_eq!(read("(declare-fun p () Bool)(assert p)"), ["[] true -> p"]);
}
