//! What is said of the command line and of the input: usage, errors, classes, preprocessing.

use super::{HORN_SOLVE, SAFE, UNSAFE};
use crate::program::text;
use crate::solvers::solver_found;

#[test]
fn wrong_usage_has_status_2() {
    HORN_SOLVE.check(&["--no-such-option"], "", "", "--no-such-option", 2);
    HORN_SOLVE.check(&["--timeout", "0"], "", "", "must be positive", 2);
    HORN_SOLVE.check(&["--timeout", "soon"], "", "", "not a number", 2);
    HORN_SOLVE.check(&["--engine", "magic"], "", "", "possible values", 2);
    for jobs in ["x", "", "1.5", "-1", "99999999999999999999"] {
        let jobs = format!("--jobs={jobs}");
        HORN_SOLVE.check(&[&jobs], "", "", "not a number of threads", 2);
    }
    HORN_SOLVE.check(
        &["--solver", "no-such-solver"],
        SAFE,
        "",
        "no-such-solver",
        2,
    );
}

#[test]
fn settings_are_checked() {
    let bounded = &["--engine", "bmc", "--set", "bmc.max-depth=0"];
    HORN_SOLVE.check(
        bounded,
        SAFE,
        "unknown\n",
        "the limit on the depth (option max-depth) is reached",
        0,
    );
    for (setting, expected) in [
        (
            "bmc.max-depth=-1",
            "`max-depth` takes a number from 0, or `unlimited`, not `-1`",
        ),
        (
            "bmc.luck=1",
            "there is no option `luck`; there are direction, bound, merge, model, max-depth, max-nodes",
        ),
        ("auto.luck=1", "there is no engine `auto`; there are pdr, "),
        ("luck", "a setting has the form ENGINE.OPTION=VALUE"),
    ] {
        HORN_SOLVE.check(&["--set", setting], "", "", expected, 2);
    }
}

#[test]
fn the_version_is_told() {
    let version = format!("horn-solve {}\n", env!("CARGO_PKG_VERSION"));
    HORN_SOLVE.check(&["--version"], "", &version, "", 0);
}

#[test]
fn errors_of_the_input_have_status_1() {
    let parse = &["--parse-only"];
    HORN_SOLVE.check(
        parse,
        "(assert (> 1 true))",
        "(error \"line 1 column 14: argument 2 of `>` has sort Bool, expected Int or Real\")\n",
        "<stdin>:1:14",
        1,
    );
    let output = HORN_SOLVE.run(&["--parse-only", "/no/such/file.smt2"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("(error \"/no/such/file.smt2: "));
}

#[test]
fn systems_are_classified() {
    HORN_SOLVE.check(
        &["--parse-only"],
        SAFE,
        "track: LIA-Lin\n\
         clauses: 3 (linear)\n\
         queries: 1\n\
         facts: 1\n\
         widest body: 1\n\
         predicates: 1\n\
         variables: 6\n\
         term nodes: 10\n",
        "",
        0,
    );
}

#[test]
fn systems_are_preprocessed() {
    HORN_SOLVE.check(&["--disable-pass", "magic"], "", "", "possible values", 2);
    // What is printed can be read again.
    let print = ["--print-preprocessed", "--disable-pass", "invariants"];
    let printed = text(&HORN_SOLVE.run(&print, SAFE).stdout);
    assert!(
        printed.contains("; simplify, round 1: clauses 3,"),
        "{printed}"
    );
    let again = text(&HORN_SOLVE.run(&print, &printed).stdout);
    let clauses = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("(assert"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(clauses(&printed).len(), clauses(&again).len());
    assert!(
        clauses(&printed)[0].contains("(=> (<= 0 n) (inv 0 n))"),
        "{printed}"
    );
    let all = text(&HORN_SOLVE.run(&["--print-preprocessed=all"], SAFE).stdout);
    assert!(all.ends_with("(check-sat)\n(reset)\n"), "{all}");
    assert_eq!(
        HORN_SOLVE.run(&["--parse-only"], &all).status.code(),
        Some(0)
    );
    let plain = text(
        &HORN_SOLVE
            .run(&["--print-preprocessed", "--no-preprocess"], SAFE)
            .stdout,
    );
    assert!(plain.starts_with("(set-logic HORN)"), "{plain}");
    if !solver_found(None) {
        return;
    }
    for args in [
        &["--no-preprocess"][..],
        &["--disable-pass", "simplify"],
        &[],
    ] {
        HORN_SOLVE.check(args, SAFE, "sat\n", "", 0);
        HORN_SOLVE.check(args, UNSAFE, "unsat\n", "", 0);
    }
    HORN_SOLVE.check(&["-v"], SAFE, "sat\n", "simplify, round 1: clauses 3,", 0);
    HORN_SOLVE.check(
        &["--stats"],
        SAFE,
        "sat\n",
        "; simplify, round 1: clauses 3,",
        0,
    );
}

#[test]
fn graphs_are_printed() {
    let nested = "(declare-fun |a \"b| (Int) Bool)
        (declare-fun q () Bool)
        (assert (forall ((x Int)) (=> (< 0 x) (|a \"b| x))))
        (assert (! (forall ((x Int)) (=> (and (|a \"b| x) q (|a \"b| 1)) (|a \"b| (+ x 1)))) :named up))
        (assert (=> (|a \"b| 7) false))";
    let expected = "digraph system {\n  node [shape=box];\n  \
        p0 [label=\"a \\\"b/1\", peripheries=2];\n  \
        p1 [label=\"q/0\"];\n  \
        true [shape=plaintext];\n  \
        false [shape=plaintext];\n  \
        true -> p0 [label=\"clause 0 (line 3)\"];\n  \
        c1 [label=\"up (line 4)\", shape=ellipse];\n  \
        p0 -> c1 [style=bold];\n  \
        p1 -> c1;\n  \
        p0 -> c1 [style=bold];\n  \
        c1 -> p0;\n  \
        p0 -> false [label=\"clause 2 (line 5)\"];\n}\n";
    HORN_SOLVE.check(&["--print-graph"], nested, expected, "", 0);
    HORN_SOLVE.check(
        &["--print-graph"],
        "",
        "digraph system {\n  node [shape=box];\n}\n",
        "",
        0,
    );
    HORN_SOLVE.check(
        &["--print-graph", "--parse-only"],
        "",
        "",
        "cannot be used with",
        2,
    );
}

/// The graph of abstract states goes to a file; it is complained about if there is none, or if it
/// cannot be written.
#[test]
fn the_graph_of_abstract_states_is_written() {
    let text = "(declare-fun p (Int) Bool) (assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false))) (check-sat)";
    let directory = tempfile::tempdir().expect("there is a place for files");
    let path = directory.path().join("states.dot");
    let name = path.to_str().expect("its name is text");
    let run = |engine: &str, path: &str, out: &str, err: &str, status: i32| {
        let arguments = ["--no-preprocess", "--engine", engine, "--print-arg", path];
        HORN_SOLVE.check(&arguments, text, out, err, status);
    };
    for engine in ["predicates", "impact", "splitting"] {
        run(engine, name, "sat\n", "", 0);
        let dot = std::fs::read_to_string(&path).expect("it was written");
        assert!(dot.starts_with("digraph states {"), "{dot}");
        assert!(dot.contains("true -> s0 [label=\"clause 0\"];"), "{dot}");
        std::fs::remove_file(&path).expect("it is there");
    }
    run(
        "pdr",
        name,
        "sat\n",
        "; no engine that ran builds a graph of abstract states\n",
        0,
    );
    assert!(!path.exists(), "there is no graph");
    let nowhere = directory.path().join("missing/states.dot");
    let nowhere = nowhere.to_str().expect("its name is text");
    run("impact", nowhere, "sat\n", "the graph in ", 1);
}
