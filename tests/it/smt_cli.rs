//! `horn-smt` as a user meets it: a script, then standard output, standard error and exit status.
//!
//! The scripts need an SMT solver, which `scripts/setup` installs; what they ask has one answer.

use crate::program::{Program, text};
use crate::solvers::solver_found;
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, SatResult, SolverChoice, find_solver};
use horn::term::{Sort, SortKind, Terms, Value};

const HORN_SMT: Program = Program::new(env!("CARGO_BIN_EXE_horn-smt"));

/// The answers to a script without errors.
#[track_caller]
fn answers(input: &str, stdout: &str) {
    HORN_SMT.check(&[], input, stdout, "", 0);
}

#[test]
fn wrong_usage_has_status_2() {
    HORN_SMT.check(&["--no-such-option"], "", "", "--no-such-option", 2);
    HORN_SMT.check(&["--timeout", "0"], "", "", "must be positive", 2);
    HORN_SMT.check(&["--solver", "no-such-solver"], "", "", "no-such-solver", 2);
}

#[test]
fn help_is_complete() {
    let help = text(&HORN_SMT.run(&["--help"], "").stdout);
    for part in [
        "check-sat-assuming",
        "(get-interpolants A (and B C) D)",
        ":produce-unsat-cores true",
        "Exit status: 0",
        "--stats[=<FORMAT>]",
        "horn-smt --stats script.smt2",
    ] {
        assert!(help.contains(part), "{part:?} in\n{help}");
    }
    let version = format!("horn-smt {}\n", env!("CARGO_PKG_VERSION"));
    HORN_SMT.check(&["--version"], "", &version, "", 0);
}

#[test]
fn errors_of_the_text_end_the_script_with_status_1() {
    if !solver_found(None) {
        return;
    }
    for (script, stdout, stderr) in [
        (
            "(check-sat)\n(assert (> 1 true))(check-sat)",
            "sat\n(error \"line 2 column 14: argument 2 of `>` has sort Bool, expected Int or Real\")\n",
            "<stdin>:2:14",
        ),
        (
            "(assert x)",
            "(error \"line 1 column 9: unknown constant or function `x`\")\n",
            "<stdin>:1:9",
        ),
        (
            "(declare-const x Int)(declare-fun x () Real)",
            "(error \"line 1 column 35: `x` is already declared\")\n",
            "",
        ),
        (
            "(declare-const x Int)(check-sat-assuming ((= x 1) x))",
            "(error \"line 1 column 51: an assumption of sort Int\")\n",
            "",
        ),
        (
            "(push 2)(pop 3)",
            "(error \"line 1 column 14: pop of 3 with 2 scopes open\")\n",
            "",
        ),
        (
            "(set-option :produce-models maybe)",
            "(error \"line 1 column 29: :produce-models is true or false\")\n",
            "",
        ),
        (
            "(assert (forall ((x Int)) (! (> x 0) :named n)))",
            "(error \"line 1 column 45: `n` names a term that has bound variables\")\n",
            "",
        ),
        (
            "(define-fun f ((x Int)) Bool (! (> x 0) :named n))",
            "(error \"line 1 column 48: `n` names a term that has bound variables\")\n",
            "",
        ),
        (
            "(get-interpolants A (B C))",
            "(error \"line 1 column 25: after a subtree comes the part that it is below\")\n",
            "",
        ),
        (
            "(declare-rel p (Int))",
            "(error \"line 1 column 1: not supported: the command `declare-rel`\")\n",
            "",
        ),
        (
            "(check-sat",
            "(error \"line 1 column 1: this command is not closed: the input ends with 1 open parenthesis\")\n",
            "",
        ),
    ] {
        HORN_SMT.check(&[], script, stdout, stderr, 1);
    }
    let output = HORN_SMT.run(&["/no/such/file.smt2"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("(error \"/no/such/file.smt2: "));
}

#[test]
fn questions_without_an_answer_do_not_end_it() {
    if !solver_found(None) {
        return;
    }
    let none = "there is no model: the last check, if any, did not find one";
    let script = "(declare-const p Bool)(get-model)\n(check-sat)(get-unsat-assumptions)\n(assert p)(get-value (p))\n\
        (check-sat-assuming ((not p)))(get-unsat-core)\n(get-proof)(get-info :reason-unknown)(get-assignment)(check-sat)";
    let expected = format!(
        "(error \"line 1 column 23: {none}\")\nsat\n\
         (error \"line 2 column 12: the last check, if any, did not answer unsat\")\n\
         (error \"line 3 column 11: {none}\")\nunsat\n\
         (error \"line 4 column 31: cores need (set-option :produce-unsat-cores true)\")\n\
         (error \"line 5 column 1: proofs need (set-option :produce-proofs true)\")\n\
         (error \"line 5 column 12: the last check, if any, did not answer unknown\")\nunsupported\nsat\n"
    );
    HORN_SMT.check(&[], script, &expected, "<stdin>:4:31", 0);
    let off = "(set-option :produce-models false)(set-option :produce-unsat-assumptions false)\
        (set-option :produce-interpolants false)(check-sat)(get-model)(assert false)(check-sat)(get-unsat-assumptions)\
        (get-interpolants a b)";
    let out = text(&HORN_SMT.run(&[], off).stdout);
    for keyword in ["models", "unsat-assumptions", "interpolants"] {
        let part = format!("are switched off by :produce-{keyword}\")");
        assert!(out.contains(&part), "{part} in {out}");
    }
}

#[test]
fn models_and_values() {
    if !solver_found(None) {
        return;
    }
    answers(
        "(declare-const x Int)(declare-fun |a b| () Real)(declare-const p Bool)(define-fun twice ((y Int)) Int (* 2 y))\
         (assert (! (= (twice x) (- 6)) :named six))(assert (= |a b| (/ (to_real x) 2)))(assert (not (and p six)))(check-sat)\
         (get-model)(get-value ((twice x) |a b| six (and p (< x 0))))",
        "sat\n(\n  (define-fun x () Int (- 3))\n  (define-fun |a b| () Real (- (/ 3.0 2.0)))\n  \
         (define-fun p () Bool false)\n)\n(((twice x) (- 6))\n (|a b| (- (/ 3.0 2.0)))\n (six true)\n ((and p (< x 0)) false))\n",
    );
    // What is no longer declared has no value.
    answers(
        "(declare-const x Int)(push)(declare-const y Int)(pop)(declare-const z Bool)(assert (and z (= x 1)))(check-sat)(get-model)",
        "sat\n(\n  (define-fun x () Int 1)\n  (define-fun z () Bool true)\n)\n",
    );
    answers(
        "(declare-fun f (Int Int) Int)(declare-const x Int)(assert (= x 1))(assert (= (f x 2) 5))(assert (= (f 2 x) 7))\
         (check-sat)(get-model)",
        "sat\n(\n  (define-fun f ((x0 Int) (x1 Int)) Int (ite (and (= x0 2) (= x1 1)) 7 5))\n  \
         (define-fun x () Int 1)\n)\n",
    );
    let sorts = "(declare-sort U 0)(declare-const u U)(declare-const v U)(declare-fun g (U) U)(declare-fun h (Bool) Int)\
        (assert (distinct u v (g u)))(check-sat)(get-model)";
    let out = text(&HORN_SMT.run(&[], sorts).stdout);
    assert!(out.contains("(define-fun u () U (as @U_"), "{out}");
    assert!(out.contains("(define-fun g ((x0 U)) U (as @U_"), "{out}");
    assert!(out.contains("(define-fun h ((x0 Bool)) Int 0)"), "{out}");
}

#[test]
fn cores_and_assumptions() {
    if !solver_found(None) {
        return;
    }
    let cores = "(set-option :produce-unsat-cores true)";
    answers(
        &format!(
            "{cores}(declare-const x Int)(declare-const p Bool)(assert (! (> x 3) :named low))(assert (! p :named other))\
             (assert (! (< x 3) :named |the high|))(check-sat)(get-unsat-core)(pop 0)"
        ),
        "unsat\n(low\n |the high|)\n",
    );
    answers(
        &format!(
            "{cores}(declare-const x Int)(declare-const p Bool)(assert (! (=> p (> x 3)) :named low))(push)(assert (< x 3))\
             (check-sat-assuming ((= x x) p))(get-unsat-core)(get-unsat-assumptions)\
             (check-sat-assuming ((not p)))(pop)(check-sat-assuming (p))"
        ),
        "unsat\n(low)\n(p)\nsat\nsat\n",
    );
    // A name stands for its formula, to the end of the scope.
    answers(
        &format!(
            "{cores}(declare-const p Bool)(push)(assert (! (! p :named inner) :named outer))(check-sat-assuming ((not outer)))\
             (get-unsat-assumptions)(get-unsat-core)(pop)(declare-const inner Bool)(check-sat-assuming ((not inner)))"
        ),
        "unsat\n((not outer))\n(outer)\nsat\n",
    );
}

#[test]
fn the_rest_of_the_standard() {
    if !solver_found(None) {
        return;
    }
    answers(
        "(set-option :print-success true)(set-logic QF_LIA)(set-option :random-seed 1)(declare-const x Int)(assert (> x 0))\
         (push 2)(check-sat)(get-info :assertion-stack-levels)(pop)(echo \"a \"\"b\"\"\")(set-option :print-success false)\
         (get-info :name)(get-info :error-behavior)(get-info :foo)(exit)(assert",
        "success\nsuccess\nunsupported\nsuccess\nsuccess\nsuccess\nsat\n(:assertion-stack-levels 2)\nsuccess\n\"a \"\"b\"\"\"\n\
         (:name \"horn-smt\")\n(:error-behavior immediate-exit)\nunsupported\n",
    );
    answers(
        "(declare-const x Int)(assert (! (> x 0) :named a))(assert   (< x\n0))(get-assertions)(check-sat)(reset-assertions)\
         (get-assertions)(check-sat)(set-option :print-success true)(reset)(declare-const x Real)(check-sat)",
        "((! (> x 0) :named a)\n (< x\n0))\nunsat\n()\nsat\nsuccess\nsat\n",
    );
    answers(
        "(assert (exists ((x Int)) (= (* 2 x) 3)))(check-sat)",
        "unsat\n",
    );
    // What Z3 has beside.
    answers(
        "(declare-const x Int)(assert (= x 4))(check-sat-using smt)(eval (+ x 1))(simplify (+ 1 2))(get-option :foo)",
        "sat\n5\n3\nunsupported\n",
    );
}

#[test]
fn limits_give_unknown() {
    if !solver_found(None) {
        return;
    }
    let hard = "(declare-const x Int)(declare-const y Int)(declare-const z Int)\
        (assert (= (+ (* x x x) (* y y y) (* z z z)) 114))(check-sat)(get-info :reason-unknown)(check-sat-assuming (false))";
    let expected = "unknown\n(:reason-unknown timeout)\nunsat\n";
    let option = format!("(set-option :timeout 1000){hard}");
    HORN_SMT.check(&[], &option, expected, "; reason: timeout", 0);
    HORN_SMT.check(&["--timeout", "1"], hard, expected, "; reason: timeout", 0);
    let option = format!("(set-option :rlimit 1000){hard}");
    let expected = "unknown\n(:reason-unknown \"work limit\")\nunsat\n";
    HORN_SMT.check(&[], &option, expected, "work limit", 0);
}

const CONTRADICTION: &str = "(set-option :produce-proofs true)(declare-const x Int)(declare-const y Int)\
    (assert (! (< x y) :named a))(assert (! (< y 3) :named b))(assert (! (> x 3) :named c))\
    (check-sat)(get-proof)(get-interpolants a (and b c))(get-interpolants a b c)(get-interpolants a d)";

#[test]
fn proofs_and_interpolants() {
    let output = HORN_SMT.run(&["--solver", "native"], CONTRADICTION);
    let out = text(&output.stdout);
    assert!(out.starts_with("unsat\n"), "{out}");
    assert!(
        out.contains(":farkas") && out.contains("no assertion is named d"),
        "{out}"
    );
    // One interpolant between two groups, two between three.
    assert_eq!(out.matches("\n((").count(), 2, "{out}");
}

/// An option of the script asks for each.
#[test]
fn interpolants_by_strength() {
    for (which, interpolant) in [
        ("strong", "((<= 13 (+ x y)))"),
        ("weak", "((<= 3 (+ x y)))"),
        ("decomposed", "((and (<= 7 x) (<= 6 y)))"),
    ] {
        let script = format!(
            "(set-option :interpolants {which})(declare-const x Int)(declare-const y Int)(declare-const z Int)\
             (declare-const w Int)(assert (! (> x z 5) :named a))(assert (! (> y w 4) :named b))\
             (assert (! (< (+ x y) 3) :named c))(check-sat)(get-interpolants (and a b) c)"
        );
        let expected = format!("unsat\n{interpolant}\n");
        HORN_SMT.check(&["--solver", "native"], &script, &expected, "", 0);
    }
    HORN_SMT.check(
        &[],
        "(set-option :interpolants best)",
        "(error \"line 1 column 27: :interpolants is strong, weak or decomposed\")\n",
        "",
        1,
    );
}

/// Parentheses make one more subtree below the next part.
#[test]
fn interpolants_of_trees() {
    let script = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (! (< 3 x z) :named a))\
        (assert (! (< 4 y) :named b))(assert (! (< (+ x y) 5) :named c))(check-sat)(get-interpolants a (b) c)\
        (get-interpolants a b c)";
    let expected = "unsat\n((<= 4 x)\n (<= 5 y))\n((<= 4 x)\n (and (<= 5 y) (<= 4 x)))\n";
    HORN_SMT.check(&["--solver", "native"], script, expected, "", 0);
}

#[test]
fn what_external_solvers_cannot_do_is_unsupported() {
    if !solver_found(Some("z3")) {
        return;
    }
    let z3 = find_solver(Some("z3")).expect("it was found");
    let output = HORN_SMT.run(&["--solver", &z3.command[0]], CONTRADICTION);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    // Interpolants depend on the version.
    let none = "unsat\nunsupported\nunsupported\nunsupported\n(error \"";
    assert!(
        out.starts_with("unsat\nunsupported\n(") || out.starts_with(none),
        "{out}"
    );
    assert!(
        err.contains("; unsupported: external solvers give no proofs"),
        "{err}"
    );
    assert_eq!(
        out.starts_with(none),
        err.contains("; unsupported: this external solver gives no interpolants"),
        "{err}"
    );
}

#[test]
fn statistics_are_one_line() {
    if !solver_found(None) {
        return;
    }
    let script =
        "(declare-const p Bool)(check-sat)(assert p)(check-sat-assuming ((not p)))(check-sat)";
    let answers = "sat\nunsat\nsat\n";
    HORN_SMT.check(
        &["--stats"],
        script,
        answers,
        ": 2 sat, 1 unsat, 0 unknown\n",
        0,
    );
    let output = HORN_SMT.run(&["--stats=json"], script);
    let stats: serde_json::Value = serde_json::from_slice(&output.stderr).expect("JSON");
    assert_eq!(stats["checks"], 3);
    assert_eq!(stats["unsat"], 1);
    assert_eq!(stats["file"], "<stdin>");
    assert!(
        stats["checks_per_second"]
            .as_f64()
            .is_some_and(|rate| rate > 0.0)
    );
}

/// `horn-smt` keeps to the protocol of external solvers: a conversation over pipes, in which
/// answers are waited for.
#[test]
fn other_programs_can_use_it_as_a_solver() {
    if !solver_found(None) {
        return;
    }
    let choice = SolverChoice {
        name: "horn-smt".to_owned(),
        command: vec![env!("CARGO_BIN_EXE_horn-smt").to_owned()],
        found: "built".to_owned(),
    };
    let backend = Backend::process(&choice, ProcessOptions::default()).expect("a back end");
    let t = Terms::new();
    let element = t.sort(SortKind::Uninterpreted(t.symbol("U"), Box::new([])));
    let (x, y, r) = (
        t.var("x", Sort::INT),
        t.var("y", Sort::INT),
        t.var("r", Sort::REAL),
    );
    let (u, v) = (t.var("u", element), t.var("v", element));
    let mut s = backend.solver(&t, "a conversation");
    s.assert(t.eq(t.add([x, x]), t.int(-6)));
    s.assert(t.eq(t.scale(3.into(), r), t.to_real(x)));
    s.push();
    s.assert(t.not(t.eq(u, v)));
    let about = format_args!("a test");
    assert_eq!(s.check(about, &[]), SatResult::Sat);
    let values = s.values(&[x, r, u, v]).expect("values");
    assert_eq!(values[..2], [Value::from(-3), Value::from(-1)]);
    assert_ne!(values[2], values[3]);
    let assumptions = [t.lt(x, y), t.lt(y, t.int(5)), t.le(y, t.int(-3))];
    assert_eq!(s.check(about, &assumptions), SatResult::Unsat);
    assert_eq!(s.core(), Ok(vec![assumptions[0], assumptions[2]]));
    s.pop();
    assert_eq!(s.check(about, &assumptions[..2]), SatResult::Sat);
    assert_eq!(backend.statistics().processes.starts, 1);
}

#[test]
fn places_count_from_the_beginning_of_the_input() {
    if !solver_found(None) {
        return;
    }
    let many = "(assert true) ; (\n".repeat(10_000);
    HORN_SMT.check(
        &[],
        &format!("{many}(check-sat)\n(check-sat"),
        "sat\n(error \"line 10002 column 1: this command is not closed: the input ends with 1 open parenthesis\")\n",
        "<stdin>:10002:1",
        1,
    );
}
