//! Lemmas that are kept for later: in files, and from check to check of a script.

use super::{HORN_SOLVE, SAFE};
use crate::program::text;
use serde_json::Value as Json;

/// A figure of the statistics of a run.
fn figure(err: &str, name: &str) -> Json {
    let stats = err.lines().find(|line| line.starts_with("{\""));
    let stats: Json = serde_json::from_str(stats.expect("statistics")).expect("JSON");
    stats[name].clone()
}

#[test]
fn lemmas_are_saved_and_used() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("lemmas.smt2");
    let file = path.to_str().expect("a path");
    let native = ["--solver", "native", "--engine", "pdr", "--stats=json"];
    let saving = [&native[..], &["--save-lemmas", file]].concat();
    let using = [&native[..], &["--use-lemmas", file]].concat();
    assert_eq!(text(&HORN_SOLVE.run(&saving, SAFE).stdout), "sat\n");
    let lemmas = std::fs::read_to_string(&path).expect("the lemmas");
    assert!(
        lemmas.contains("(declare-fun inv (Int Int) Bool)"),
        "{lemmas}"
    );

    // The same system again, and one with a weaker query: no engine has to run.
    for system in [SAFE, &SAFE.replace("(> x n)", "(> x (+ n 1))")] {
        let output = HORN_SOLVE.run(&using, system);
        assert_eq!(text(&output.stdout), "sat\n");
        assert_eq!(figure(&text(&output.stderr), "engine"), "");
    }
    // Edits after which some lemmas hold, none do, or the query can be reached.
    for (edited, verdict) in [
        (SAFE.replace("(>= n 0)", "(>= n (- 5))"), "unsat\n"),
        (SAFE.replace("(+ x 1) n", "(+ x 1) (+ n 1)"), "sat\n"),
        (SAFE.replace("(+ x 1) n", "(+ x 2) n"), "unsat\n"),
        (SAFE.replace("inv", "other"), "sat\n"),
    ] {
        let options = [
            "--solver",
            "native",
            "--use-lemmas",
            file,
            "--check-with",
            "native",
        ];
        HORN_SOLVE.check(&options, &edited, verdict, "", 0);
    }
    // What a person writes: wrong, about something else, or no text of SMT-LIB.
    let hint = "(declare-fun inv (Int Int) Bool)(declare-fun p (Bool) Bool)
        (assert (forall ((x Int) (n Int)) (=> (and (inv x n) (> x 2)) false)))
        (assert (forall ((x Int) (n Int)) (=> (and (inv x n) (> x n)) false)))
        (assert (forall ((b Bool)) (=> (p b) b)))";
    std::fs::write(&path, hint).expect("the directory is ours");
    HORN_SOLVE.check(&using, SAFE, "sat\n", "\"engine\":\"\"", 0);
    std::fs::write(&path, "(assert").expect("the directory is ours");
    HORN_SOLVE.check(&using, SAFE, "", "lemmas.smt2:1:", 1);
    HORN_SOLVE.check(
        &["--use-lemmas", "nowhere.smt2"],
        SAFE,
        "",
        "nowhere.smt2: ",
        1,
    );
}

/// A check of a script begins with what those before it have proved.
#[test]
fn checks_of_a_script_share_lemmas() {
    let script = SAFE.to_owned()
        + "(push 1)(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (< n 0)) false)))(check-sat)
           (assert (forall ((x Int) (n Int)) (=> (and (inv x n) (= x 3)) false)))(check-sat)(pop 1)
           (check-sat)";
    let options = ["--solver", "native", "-v"];
    let output = HORN_SOLVE.run(&options, &script);
    assert_eq!(text(&output.stdout), "sat\nsat\nunsat\nsat\n");
    let err = text(&output.stderr);
    assert_eq!(
        err.matches("invariants that are known hold").count(),
        3,
        "{err}"
    );
}
