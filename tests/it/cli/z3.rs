//! Under the name of Z3 a script goes on after an error, and is asked what Z3 is asked.

use super::{HORN_SOLVE, SAFE, UNSAFE};
use crate::program::text;

/// What is printed to standard output for a script under the name of Z3, and the exit status.
#[track_caller]
fn check(script: &str, expected: &str, status: i32) {
    let output = HORN_SOLVE
        .start(&["--as", "z3", "-in"], script)
        .wait_with_output()
        .expect("it ends");
    assert_eq!(text(&output.stdout), expected, "{script}");
    assert_eq!(output.status.code(), Some(status), "{script}");
    assert_eq!(text(&output.stderr), "", "{script}");
}

#[test]
fn horn_scripts_go_on_after_errors() {
    let clauses = SAFE.replace("(check-sat)\n", "");
    let ill = format!(
        "{clauses}(assert (inv 1))
(assert (other 1))
(declare-fun inv (Int) Bool)
(foo 1 (2))
(get-model)
(pop 1)
hello
(check-sat))
(echo \"on\")
"
    );
    check(
        &ill,
        "(error \"line 6 column 9: `inv` takes 2 arguments, found 1\")
(error \"line 7 column 9: unknown constant or function `other`\")
(error \"line 8 column 14: `inv` is already declared\")
unsupported
(error \"line 10 column 1: model is not available\")
(error \"line 11 column 6: pop of 1 with 0 scopes open\")
(error \"line 12 column 1: expected a command, which starts with '(', found `hello`\")
sat
(error \"line 13 column 12: expected a command, which starts with '(', found `)`\")
on
",
        1,
    );
    // An unknown command is no error.
    check(
        &format!("{clauses}(foo)(check-sat)"),
        "unsupported\nsat\n",
        0,
    );
    // Nothing is behind a command that is not closed.
    check(
        &format!("{clauses}(assert (inv 1 2)\n(check-sat)"),
        "(error \"line 7 column 1: unexpected `(`, expected `)`\")\n",
        1,
    );
}

/// What is right for another solver and left out here may contradict the rest.
#[test]
fn satisfiability_needs_all_assertions() {
    let unread = "(assert (or (inv 1 2) (inv 2 3)))\n(check-sat)(get-info :reason-unknown)(reset)(check-sat)";
    let script = SAFE.replace("(check-sat)\n", unread);
    check(
        &script,
        "(error \"line 6 column 23: not a Horn clause: this predicate would be a second head beside `(inv 1 2)`\")
unknown
(:reason-unknown \"incomplete: a command before was not understood\")
sat
",
        1,
    );
    let script = UNSAFE.replace("(check-sat)", "(assert (= \"a\" \"b\"))(check-sat)");
    check(
        &script,
        "(error \"line 6 column 12: not supported: strings\")\nunsat\n",
        1,
    );
    check(
        "(declare-const x Int)(assert (> x \"a\"))(check-sat)",
        "(error \"line 1 column 35: not supported: strings\")\nunknown\n",
        1,
    );
}

#[test]
fn horn_scripts_are_asked_about_models_and_options() {
    let script = format!(
        "{SAFE}(get-value ((inv 1 2) (inv 5 3) (+ 1 2)))
(eval (inv 1 2))
(get-info :reason-unknown)
(get-option :produce-models)
(set-option :timeout 60000)
(get-option :timeout)
(get-option :other)
(echo \"hi\")
(simplify (+ 1 2))
(labels)
(check-sat-using horn)
(check-sat-assuming ())
(check-sat-assuming ((inv 1 2)))
(eval (inv 1 2))
"
    );
    check(
        &script,
        "sat
(((inv 1 2) true)
 ((inv 5 3) false)
 ((+ 1 2) 3))
true
(:reason-unknown \"\")
true
60000
unsupported
hi
3
(labels)
sat
sat
unknown
(error \"line 20 column 1: model is not available\")
",
        1,
    );
    // The same commands are errors under the own name.
    let script = format!("{SAFE}(eval (inv 1 2))");
    HORN_SOLVE.check(
        &[],
        &script,
        "sat\n(error \"line 7 column 2: not supported: the command `eval`\")\n",
        "the command `eval`",
        1,
    );
}

#[test]
fn other_scripts_go_on_after_errors() {
    check(
        "(declare-const x Int)(foo)(assert (> y 1))
(check-sat)
(get-model (x))
(get-value (x))
(eval (+ x 1))
(assert (< x 0 1)
(check-sat)",
        "unsupported
(error \"line 1 column 38: unknown constant or function `y`\")
sat
(error \"line 3 column 12: unexpected `(`, expected `)`\")
((x 0))
1
(error \"line 7 column 1: unexpected `(`, expected `)`\")
",
        1,
    );
}
