//! Models and refutations, printed and checked.

use super::{HORN_SOLVE, SAFE, UNSAFE};
use crate::program::text;
use crate::scratch::make_script;
use crate::solvers::solver_found;
use crate::tools::tool_found;
use horn::smt::find_solver;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn models_are_one_list() {
    if !solver_found(None) {
        return;
    }
    let script = "(declare-fun |a b| (Int) Bool)(declare-fun x0 (Int Bool) Bool)(declare-fun p () Bool)\
        (assert (forall ((x Int)) (|a b| x)))(assert (not p))\
        (assert (forall ((x Int) (b Bool)) (not (x0 x b))))(check-sat)";
    let expected = "(\n  \
          (define-fun |a b| ((x Int)) Bool\n    true)\n  \
          (define-fun x0 ((x Int) (b Bool)) Bool\n    false)\n  \
          (define-fun p () Bool\n    false)\n\
        )\n";
    HORN_SOLVE.check(&["--model"], script, &format!("sat\n{expected}"), "", 0);
    let twice = format!("{script}(get-model)");
    HORN_SOLVE.check(&[], &twice, &format!("sat\n{expected}"), "", 0);
    // What the option has printed is not printed again.
    HORN_SOLVE.check(&["--model"], &twice, &format!("sat\n{expected}"), "", 0);
    let refused = format!("(set-option :produce-models false){twice}");
    let error = "(error \"models are switched off by :produce-models\")\n";
    HORN_SOLVE.check(&[], &refused, &format!("sat\n{error}"), "", 0);
    HORN_SOLVE.check(
        &["--model", "--proof"],
        UNSAFE,
        &text(&HORN_SOLVE.run(&["--proof"], UNSAFE).stdout),
        "",
        0,
    );
}

/// Puts the definitions of a printed model in place of the declarations, and asks again: the
/// clauses must hold.
#[test]
fn printed_models_are_read_back() {
    if !solver_found(None) {
        return;
    }
    let quoted = "(declare-fun |the inv| (Int) Bool)\n(declare-fun x0 (Int) Bool)\n\
        (assert (|the inv| 3))\n\
        (assert (forall ((x Int)) (=> (and (|the inv| x) (< x 90)) (|the inv| (+ x 3)))))\n\
        (assert (forall ((x Int)) (=> (|the inv| x) (x0 (- x)))))\n\
        (assert (forall ((x Int)) (=> (x0 x) (< x 0))))\n(check-sat)\n";
    let reals = "(declare-fun |the inv| (Real Bool) Bool)\n\
        (assert (forall ((x Real)) (=> (< 0.5 x 1.5) (|the inv| x true))))\n\
        (assert (forall ((x Real) (b Bool)) (=> (|the inv| x b) (|the inv| (/ (+ x 1.0) 2.0) (not b)))))\n\
        (assert (forall ((x Real) (b Bool)) (=> (|the inv| x b) (< x 2.0))))\n(check-sat)\n";
    for script in [SAFE, quoted, reals] {
        let out = text(&HORN_SOLVE.run(&["--model"], script).stdout);
        let list = out
            .strip_prefix("sat\n(\n")
            .and_then(|rest| rest.strip_suffix(")\n"));
        let definitions = list.unwrap_or_else(|| panic!("no model: {out}"));
        let rest: Vec<&str> = script
            .lines()
            .filter(|l| !l.contains("declare-fun"))
            .collect();
        let (logic, rest) = rest.split_at(usize::from(rest[0].contains("set-logic")));
        let again = [logic.join("\n").as_str(), definitions, &rest.join("\n")].join("\n");
        HORN_SOLVE.check(&[], &again, "sat\n", "", 0);
    }
}

/// A solver that finds everything contradictory.
const LIAR: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
        "(echo "*) line=${line#*\"}; echo "${line%\"*}" ;;
        "(check-sat"*) echo unsat ;;
        "(get-unsat"*) echo "()" ;;
    esac
done
"#;

#[test]
fn refused_certificates_are_faults() {
    if !solver_found(None) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let liar = scratch.path().join("liar");
    make_script(&liar, LIAR);
    let (liar, dump) = (liar.to_string_lossy(), scratch.path().join("dump"));
    let honest = find_solver(None).expect("found before").command[0].clone();
    let args = [
        "--engine",
        "pdr",
        "--solver",
        &liar,
        "--check-with",
        &honest,
        "--dump-smt",
    ];
    let args = [&args[..], &[dump.to_str().expect("text")]].concat();
    let refused = format!("; reason: certificate refused: {honest}: ");
    HORN_SOLVE.check(&args, UNSAFE, "unknown\n", &refused, 3);
    let kept = fs::read_to_string(dump.join("refused-1.smt2")).expect("a reproducer");
    assert!(kept.contains("; the answer was sat, with"), "{kept}");
    // It asks the same again.
    HORN_SOLVE.check(&[], &kept, "unsat\n", "", 0);
}

const PROOF: &str = "unsat
0: (inv 0)
   by clause 0 (line 3) with x = 0
1: (inv 1)
   by `step` (line 4) from 0 with x = 0
2: (inv 2)
   by `step` (line 4) from 1 with x = 1
3: (inv 3)
   by `step` (line 4) from 2 with x = 2
4: false
   by clause 2 (line 5) from 3 with x = 3
";

#[test]
fn proofs_are_readable() {
    if !solver_found(None) {
        return;
    }
    HORN_SOLVE.check(&["--proof"], UNSAFE, PROOF, "", 0);
    let asked = format!("{UNSAFE}(get-proof)");
    HORN_SOLVE.check(&["--proof-format", "text"], &asked, PROOF, "", 0);
    let proof = text(&HORN_SOLVE.run(&[], &asked).stdout);
    assert!(proof.starts_with("unsat\n((set-logic HORN)\n"), "{proof}");
    let output = HORN_SOLVE.run(&["--proof-format", "json"], UNSAFE);
    let out = text(&output.stdout);
    let (verdict, json) = out.split_once('\n').expect("a verdict");
    assert_eq!(verdict, "unsat");
    let proof: serde_json::Value = serde_json::from_str(json).expect("JSON");
    let facts = proof["facts"].as_array().expect("a list");
    assert_eq!(facts.len(), 5);
    let expected = serde_json::json!({
        "id": 1,
        "fact": "(inv 1)",
        "predicate": "inv",
        "arguments": ["1"],
        "clause": {"id": 1, "name": "step", "line": 4, "offset": 95},
        "values": [{"variable": "x", "sort": "Int", "value": "0"}],
        "premises": [0],
    });
    assert_eq!(facts[1], expected);
    assert_eq!(facts[4]["predicate"], serde_json::Value::Null);
}

#[test]
fn models_are_checked_by_other_solvers() {
    let names: Vec<&str> = ["z3", "cvc5"]
        .into_iter()
        .filter(|name| find_solver(Some(name)).is_ok())
        .collect();
    if !solver_found(None) {
        return;
    }
    for name in &names {
        let said = format!("; {name}: model accepted\n");
        HORN_SOLVE.check(&["--check-with", &names.join(",")], SAFE, "sat\n", &said, 0);
    }
    // A solver that answers nothing accepts nothing.
    let strict = ["--check-with", "false"];
    HORN_SOLVE.check(&strict, SAFE, "unknown\n", "; false: model not decided", 0);
    let lenient = ["--check", "lenient", "--check-with", "false"];
    HORN_SOLVE.check(&lenient, SAFE, "sat\n", "; certificate not checked", 0);
}

/// The command of Z3.
fn z3() -> String {
    let z3 = find_solver(Some("z3")).expect("it was found");
    format!("{} -in", z3.command.join(" "))
}

/// What `scripts/check-certificate` says of a directory with Z3, with its exit status.
fn check_certificate(directory: &Path) -> (String, Option<i32>) {
    check_certificate_with(directory, &z3())
}

/// What `scripts/check-certificate` says of a directory with this solver, with its exit status.
fn check_certificate_with(directory: &Path, solver: &str) -> (String, Option<i32>) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check-certificate");
    let mut checker = Command::new("python3");
    checker
        .arg(script)
        .arg(directory)
        .args(["--solver", solver]);
    let output = checker.output().expect("python3 runs");
    (text(&output.stdout), output.status.code())
}

/// Loops that are not written out are confirmed by induction.
#[test]
fn iterations_are_confirmed() {
    if !solver_found(Some("z3")) || !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let read = |path: &Path| fs::read_to_string(path).expect("the file is there");
    // The file, what its derivation is changed to, and what is wrong with that.
    for (file, confirmed, changes) in [
        (
            "unsat/lia/three-billion-steps",
            "unsat: 8 confirmed, 0 not decided\n",
            [
                ("\"times\":\"1000000000\"", "\"times\":\"999999999\""),
                ("\"change\":\"3\"", "\"change\":\"2\""),
                ("[\"before\"]", "[{\"premise\":0}]"),
            ],
        ),
        (
            "unsat/bv/sum-wraps-after-a-billion",
            "unsat: 5 confirmed, 0 not decided\n",
            [
                ("\"times\":\"1073741823\"", "\"times\":\"1073741824\""),
                ("\"change\":\"#x00000001\"", "\"change\":\"#x00000002\""),
                ("\"value\":\"#x00000002\"", "\"value\":\"#x00000003\""),
            ],
        ),
    ] {
        let script = read(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("horn-benchmarks/{file}.smt2")),
        );
        let path = scratch.path().join(file);
        let directory = path.to_str().expect("a path that is text");
        HORN_SOLVE.check(&["--certificate", directory], &script, "unsat\n", "", 0);
        assert_eq!(check_certificate(&path), (confirmed.to_owned(), Some(0)));
        let derivation = path.join("derivation.json");
        let right = read(&derivation);
        for (old, new) in changes {
            assert!(right.contains(old), "{old} is not in {right}");
            fs::write(&derivation, right.replace(old, new)).expect("it can be written");
            let (said, status) = check_certificate(&path);
            // What premises a step names does not matter to this check.
            let is_wrong = said.starts_with("wrong: the i") && status == Some(1);
            assert!(is_wrong != old.contains("before"), "{old}: {said}");
        }
    }
}

/// With the instances that a certificate lists, a solver needs no quantifiers and no recursion.
#[test]
fn instances_take_the_place_of_definitions() {
    if !solver_found(Some("z3")) || !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    // A solver that answers nothing where there are quantifiers or definitions by recursion.
    let solver = scratch.path().join("solver");
    let words =
        "script=$(cat); case $script in *define-fun*rec*|*forall*) ;; *) echo \"$script\" |";
    fs::write(&solver, format!("{words} {};; esac", z3())).expect("it can be written");
    let solver = format!("sh {}", solver.display());
    let read = |path: &Path| fs::read_to_string(path).expect("the file is there");
    let names = [
        "adt/drops-commute",
        "adt/enqueue-appends",
        "adt/zipper-moves-keep-list",
        "arrays/array-init-all-cells",
        "arrays/copied-behind-pointers",
    ];
    for name in names {
        let file = format!("horn-benchmarks/sat/{name}.smt2");
        let script = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
        let path = scratch.path().join(name);
        let directory = path.to_str().expect("a path that is text");
        HORN_SOLVE.check(&["--certificate", directory], &script, "sat\n", "", 0);
        let is_open = |said: &str| said.contains("not decided: clause-");
        let (said, status) = check_certificate_with(&path, &solver);
        assert!(!is_open(&said) && status != Some(1), "{name}: {said}");
        // Instances at other values prove nothing, and are no reason to accept anything.
        let index = path.join("certificate.json");
        let text = read(&index);
        let wrong = text.replace("\"arguments\": [", "\"arguments\": [\"nil\",");
        let wrong = wrong.replace("\"values\": [", "\"values\": [\"0\",");
        fs::write(&index, wrong).expect("it can be written");
        let (said, status) = check_certificate_with(&path, &solver);
        assert!(is_open(&said) && status == Some(3), "{name}: {said}");
    }
}

#[test]
fn certificates_as_files_are_confirmed() {
    if !solver_found(Some("z3")) || !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let path = scratch.path().join("certificate");
    let directory = path.to_str().expect("a path that is text");
    let change = |file: &str, old: &str, new: &str| {
        let text = fs::read_to_string(path.join(file)).expect("the file is there");
        assert!(text.contains(old), "{file} has no {old}: {text}");
        fs::write(path.join(file), text.replace(old, new)).expect("it can be written");
    };
    let write = |script: &str, verdict: &str| {
        HORN_SOLVE.check(&["--certificate", directory], script, verdict, "", 0);
    };
    // Each row: what is changed, and what the script says then.
    let changes = [
        (
            SAFE,
            "sat\n",
            "model.smt2",
            "(define-fun",
            "(define-fun",
            "sat: 6 confirmed, 0 not decided, 3 proofs are right\n",
            0,
        ),
        (
            SAFE,
            "sat\n",
            "model.smt2",
            "<=",
            "<",
            "wrong: assertion",
            1,
        ),
        (
            SAFE,
            "sat\n",
            "clause-1.smt2",
            "(assert (not ",
            "(assert (or true ",
            "wrong: clause-1.smt2: sat",
            1,
        ),
        (
            SAFE,
            "sat\n",
            "proof-1.alethe",
            "(assume a0 ",
            "(assume a0 (not ",
            "wrong: proof-1.alethe: ",
            1,
        ),
        (
            SAFE,
            "sat\n",
            "input.smt2",
            "(> x n)",
            "(>= x n)",
            "wrong: assertion 2",
            1,
        ),
        (
            UNSAFE,
            "unsat\n",
            "derivation.json",
            "inv",
            "inv",
            "unsat: 2 confirmed, 0 not decided\n",
            0,
        ),
        (
            UNSAFE,
            "unsat\n",
            "derivation.json",
            "\"value\":\"2\"",
            "\"value\":\"7\"",
            "wrong: the instances",
            1,
        ),
        (
            UNSAFE,
            "unsat\n",
            "derivation.json",
            "\"premises\":[0]",
            "\"premises\":[3]",
            "wrong: fact 1",
            1,
        ),
        (
            UNSAFE,
            "unsat\n",
            "derivation.smt2",
            "Int 2)",
            "Int 7)",
            "wrong: derivation.smt2: unsat",
            1,
        ),
        (
            UNSAFE,
            "unsat\n",
            "input.smt2",
            "(= x 3)",
            "(= x 9)",
            "wrong: the instances",
            1,
        ),
    ];
    for (script, verdict, file, old, new, said, status) in changes {
        write(script, verdict);
        change(file, old, new);
        let found = check_certificate(&path);
        assert!(found.0.starts_with(said), "{file}: {found:?}");
        assert_eq!(found.1, Some(status), "{file}: {found:?}");
    }
    // An answer that the solver cannot be asked for is not taken for another one.
    write(SAFE, "sat\n");
    change("model.smt2", "Bool", "Boolean");
    let found = check_certificate(&path);
    let said = "sat: 3 confirmed, 3 not decided, 3 proofs are right\n";
    assert!(found.0.ends_with(said), "{found:?}");
    assert_eq!(found.1, Some(3), "{found:?}");
    // Without a verdict no older certificate is left.
    HORN_SOLVE.check(
        &["--certificate", directory, "--timeout", "0.000001"],
        SAFE,
        "unknown\n",
        "",
        0,
    );
    assert!(!path.join("certificate.json").exists());
    // A file is no directory.
    fs::write(scratch.path().join("file"), "").expect("it can be written");
    let file = scratch.path().join("file");
    let file = file.to_str().expect("a path that is text");
    HORN_SOLVE.check(
        &["--certificate", file],
        SAFE,
        "sat\n",
        "error: the certificate in",
        1,
    );
}

/// Runs `scripts/check-alethe` on proofs of a query: what it says, and whether it accepts all.
pub(super) fn run_check_alethe(query: &Path, proofs: &[PathBuf]) -> (String, bool) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check-alethe");
    let mut command = Command::new("python3");
    command.arg(script).arg(query).args(proofs);
    let output = command.output().expect("python3 runs");
    let said = text(&output.stdout) + &text(&output.stderr);
    (said, output.status.success())
}

/// What `scripts/check-alethe` says of a proof, and whether it accepts it.
pub(super) fn check_alethe(query: &Path, proof: &Path) -> (String, bool) {
    run_check_alethe(query, &[proof.to_owned()])
}

/// Sums of products are compared after multiplication.
#[test]
fn products_in_inequalities() {
    if !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let [query, proof] = ["query.smt2", "proof.alethe"].map(|name| scratch.path().join(name));
    let declared = "(declare-const x Int)(declare-const y Int)";
    let table = [
        ("(* (+ x 1) (+ y 2))", "(+ (* y x) y (* 2 x) 2)", true),
        ("(* (+ x y) (- x y))", "(- (* x x) (* y y))", true),
        ("(* (- 1) x x)", "(* (- 1) (* x x))", true),
        ("(* x (* x y))", "(* (* y x) x)", true),
        ("(* x x)", "(* x y)", false),
        ("(* (+ x 1) (+ x 1))", "(+ (* x x) 1)", false),
        ("(* 2 x)", "(* x x)", false),
    ];
    for (left, right, is_right) in table {
        let assertions = format!("(assert (< {left} {right}))");
        fs::write(&query, format!("{declared}{assertions}")).expect("it can be written");
        let steps = format!(
            "(assume a0 (< {left} {right}))
             (step t0 (cl (not (< {left} {right}))) :rule la_generic :args (1))
             (step t1 (cl) :rule resolution :premises (a0 t0))"
        );
        fs::write(&proof, steps).expect("it can be written");
        let (said, accepted) = check_alethe(&query, &proof);
        assert_eq!(accepted, is_right, "{left} {right}: {said}");
    }
}

/// A proof is accepted as it is written, and no longer when something of it is missing or other.
#[test]
fn proofs_are_accepted_as_they_are() {
    if !tool_found("python3", &["--version"]) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let directory = scratch.path().to_str().expect("a path that is text");
    let args = ["--solver", "native", "--certificate", directory];
    HORN_SOLVE.check(&args, SAFE, "sat\n", "", 0);
    let mut damaged = 0;
    for clause in 0..3 {
        let [query, proof] =
            ["smt2", "alethe"].map(|end| scratch.path().join(format!("proof-{clause}.{end}")));
        let right = fs::read_to_string(&proof).expect("there is a proof");
        assert_eq!(
            check_alethe(&query, &proof),
            ("valid\n".to_owned(), true),
            "{right}"
        );
        let lines: Vec<&str> = right.lines().collect();
        let mut changed = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            // Without the step, which another one needs, or the end.
            changed.push([&lines[..at], &lines[at + 1..]].concat().join("\n"));
            let changes = [
                line.replace("(not ", "(and "),
                line.replace("<=", "<"),
                line.replace(":args (1", ":args (2"),
                line.replace("(cl (", "(cl false ("),
            ];
            for other in changes.iter().filter(|other| *other != line) {
                let lines = [&lines[..at], &[other.as_str()], &lines[at + 1..]].concat();
                changed.push(lines.join("\n"));
                damaged += 1;
            }
        }
        let path = |at: usize| scratch.path().join(format!("changed-{at}.alethe"));
        for (at, wrong) in changed.iter().enumerate() {
            fs::write(path(at), wrong).expect("it can be written");
        }
        let paths: Vec<PathBuf> = (0..changed.len()).map(path).collect();
        let (said, _) = run_check_alethe(&query, &paths);
        for (path, wrong) in paths.iter().zip(&changed) {
            let refused = format!("{}: ", path.display());
            let is_refused = said.lines().any(|line| line.starts_with(&refused));
            assert!(is_refused, "accepted:\n{wrong}\nof\n{right}\n{said}");
        }
    }
    assert!(damaged > 20, "{damaged} proofs were changed");
}
