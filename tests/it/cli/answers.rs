//! Verdicts and what is said beside them, with and without external solvers.

use super::{HORN_SOLVE, SAFE, UNSAFE};
use crate::hard::HARD;
use crate::program::text;
use crate::scratch::copy_program;
use crate::solvers::solver_found;
use serde_json::Value as Json;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn verdicts_come_first() {
    if !solver_found(None) {
        return;
    }
    for engine in ["auto", "pdr"] {
        HORN_SOLVE.check(&["--engine", engine], SAFE, "sat\n", "", 0);
        HORN_SOLVE.check(&["--engine", engine, "-"], UNSAFE, "unsat\n", "", 0);
    }
    HORN_SOLVE.check(&["--engine", "bmc"], UNSAFE, "unsat\n", "", 0);
    HORN_SOLVE.check(&["-v"], UNSAFE, "unsat\n", "solver: ", 0);
    HORN_SOLVE.check(&["--stats"], UNSAFE, "unsat\n", "; verdict: unsat\n", 0);
    HORN_SOLVE.check(
        &["--stats=json"],
        UNSAFE,
        "unsat\n",
        "\"verdict\":\"unsat\"",
        0,
    );
    HORN_SOLVE.check(&[], "(check-sat)", "sat\n", "", 0);
    HORN_SOLVE.check(&[], "(set-logic HORN)", "", "asks nothing", 0);
    HORN_SOLVE.check(
        &[],
        "(assert false)(check-sat)(exit)(assert",
        "unsat\n",
        "",
        0,
    );
}

/// Each engine says what its queries are for, also where a limit ends the run, whoever has the last
/// word.
#[test]
fn statistics_tell_what_the_time_was_spent_on() {
    if !solver_found(None) {
        return;
    }
    let output = HORN_SOLVE.run(&["--stats=json", "--engine", "pdr"], SAFE);
    let err = text(&output.stderr);
    let stats: Json = serde_json::from_str(err.trim()).unwrap_or_else(|e| panic!("{e}: {err}"));
    let rows = stats["ledger"].as_array().expect("a list");
    let clients = ["preprocess", "pdr", "lift", "check", "debug"];
    assert!(
        rows.iter()
            .all(|row| clients.iter().any(|c| row["client"] == *c))
    );
    let block = rows.iter().find(|row| row["purpose"] == "block");
    let block = block.expect("something was blocked");
    assert!(block["queries"].as_u64() > Some(0), "{err}");
    assert!(block["time"].as_f64() >= Some(0.0), "{err}");
    for (column, total) in [("queries", "queries"), ("ticks", "solver-ticks")] {
        let told: u64 = rows.iter().filter_map(|row| row[column].as_u64()).sum();
        assert_eq!(Some(told), stats[total].as_u64(), "{column}: {err}");
    }

    let pdr = ["--stats", "--engine", "pdr"];
    HORN_SOLVE.check(&pdr, SAFE, "sat\n", "; pdr, block: ", 0);
    HORN_SOLVE.check(&["--stats"], SAFE, "sat\n", "; bmc, unroll: ", 0);
    let kind = ["--stats", "--engine", "kind"];
    HORN_SOLVE.check(&kind, UNSAFE, "unsat\n", "; decided-by: base case\n", 0);
    HORN_SOLVE.check(&kind, SAFE, "sat\n", "; decided-by: forward condition\n", 0);
    let late = ["--stats", "--timeout", "3", "--engine", "pdr"];
    HORN_SOLVE.check(&late, HARD, "unknown\n", "; pdr, block: ", 0);
    let option = format!("(set-option :timeout 2000){HARD}");
    let bmc = ["--stats", "--engine", "bmc"];
    HORN_SOLVE.check(&bmc, &option, "unknown\n", "; bmc, unroll: ", 0);
}

#[test]
fn depths_are_told() {
    if !solver_found(None) {
        return;
    }
    let output = HORN_SOLVE.run(&["-v", "--engine", "pdr"], UNSAFE);
    let err = text(&output.stderr);
    let depths: Vec<&str> = err
        .lines()
        .filter_map(|line| line.split_once("] pdr: depth "))
        .map(|(_, rest)| rest)
        .collect();
    assert!(depths.len() > 1, "{err}");
    assert!(
        depths[0].starts_with("1, 0 lemmas, 1 obligations, 0 queries")
            || depths[0].starts_with("1, 0 lemmas, 0 obligations, 0 queries"),
        "{err}"
    );
    assert!(depths[1].starts_with("2, safe up to 1, "), "{err}");
    assert!(depths[1].contains("; depth 1 took 0."), "{err}");
    assert!(err.contains("] unsat after 0."), "{err}");
}

#[test]
fn scripts_are_answered_in_order() {
    if !solver_found(None) {
        return;
    }
    let script = "(declare-fun p () Bool)(declare-fun q () Bool)\
        (echo \"a \"\"quoted\"\" word\")\
        (get-model)\
        (assert p)(check-sat)(get-proof)\
        (push)(assert (=> p q))(assert (not q))(check-sat)(get-model)(pop)\
        (check-sat)(get-info :reason-unknown)(get-info :name)(get-info :other)";
    HORN_SOLVE.check(
        &[],
        script,
        "\"a \"\"quoted\"\" word\"\n\
         (error \"there is no model: the last check, if any, did not find one\")\n\
         sat\n\
         (error \"there is no proof: the last check, if any, did not find one\")\n\
         unsat\n\
         (error \"there is no model: the last check, if any, did not find one\")\n\
         sat\n\
         (error \"the last check, if any, did not answer unknown\")\n\
         (:name \"horn-solve\")\n\
         unsupported\n",
        "",
        0,
    );
    // In the rule dialect `sat` means reachable.
    let rules = "(declare-rel p (Int))(declare-var x Int)\
        (rule (=> (= x 0) (p x)))(rule (=> (and (p x) (< x 5)) (p (+ x 2))))\
        (query (and (p x) (= x 4)))(query (and (p x) (= x 5)))(query p)";
    HORN_SOLVE.check(&[], rules, "sat\nunsat\nsat\n", "", 0);
    // What stands before an error is answered.
    let broken = "(assert true)(check-sat)(check-sat";
    let output = HORN_SOLVE.run(&[], broken);
    assert!(text(&output.stdout).starts_with("sat\n(error \"line 1 column 25"));
    assert_eq!(output.status.code(), Some(1));
}

/// Without any external solver: everything that the embedded core decides, with certificates; of
/// the rest, the reason.
#[test]
fn no_external_solver_is_needed() {
    let folder = tempfile::tempdir().expect("a directory");
    // Solvers are looked for near the program, too.
    let program = folder.path().join("horn-solve");
    copy_program(env!("CARGO_BIN_EXE_horn-solve"), &program);
    let run = |args: &[&str], input: &str| {
        let mut command = Command::new(&program);
        command.args(args).env_clear().current_dir(folder.path());
        let command = command.stdin(Stdio::piped());
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let mut stdin = child.stdin.take().expect("piped");
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the program runs");
        (
            text(&output.stdout),
            text(&output.stderr),
            output.status.code(),
        )
    };
    let reals = |query: &str| {
        format!(
            "(set-logic HORN)(declare-fun inv (Real Real) Bool)
            (assert (forall ((r Real) (s Real)) (=> (and (= r 0.0) (> s 1.0)) (inv r s))))
            (assert (forall ((r Real) (s Real)) (=> (and (inv r s) (< r (- s 1.0))) (inv (+ r 1.0) s))))
            (assert (forall ((r Real) (s Real)) (=> (and (inv r s) {query}) false)))(check-sat)"
        )
    };
    let both = ["--model", "--proof", "-v"];
    for (input, verdict, certificate) in [
        (SAFE, "sat\n", "(define-fun inv ((x Int) (n Int)) Bool"),
        (UNSAFE, "unsat\n", "step"),
        (
            &reals("(> r s)"),
            "sat\n",
            "(define-fun inv ((r Real) (s Real)) Bool",
        ),
        (&reals("(> r 2.5)"), "unsat\n", "false"),
    ] {
        for jobs in ["1", "2", "0"] {
            let (out, err, status) = run(&[&both[..], &["--jobs", jobs]].concat(), input);
            assert!(
                out.starts_with(verdict) && out.contains(certificate),
                "{out}{err}"
            );
            assert!(
                err.contains("the embedded core alone") && status == Some(0),
                "{err}"
            );
            assert!(err.contains("turn 2, bmc") || jobs != "2", "{err}");
        }
    }
    let arrays = "(set-logic HORN)(declare-fun inv ((Array Int Int) Int) Bool)
        (assert (forall ((a (Array Int Int))) (=> (= (select a 0) 7) (inv a 0))))
        (assert (forall ((a (Array Int Int)) (i Int)) (=> (inv a i) (inv (store a (+ i 1) 8) (+ i 1)))))
        (assert (forall ((a (Array Int Int)) (i Int)) (=> (and (inv a i) (not (= (select a 0) 7))) false)))(check-sat)";
    let (out, err, status) = run(&["--timeout", "20"], arrays);
    assert_eq!((&*out, status), ("sat\n", Some(0)), "{err}");
    let squares = "(set-logic HORN)(declare-fun p (Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (= x (* y y)) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))(check-sat)";
    let (out, err, status) = run(&["--timeout", "20"], squares);
    assert_eq!((&*out, status), ("sat\n", Some(0)), "{err}");
    let wide = "(set-logic HORN)(declare-fun p ((_ BitVec 2000)) Bool)
        (assert (forall ((x (_ BitVec 2000)) (y (_ BitVec 2000))) (=> (= x (bvmul y y)) (p x))))
        (assert (forall ((x (_ BitVec 2000))) (=> (and (p x) (bvslt x (_ bv0 2000))) false)))(check-sat)";
    let (out, err, status) = run(&["--timeout", "20"], wide);
    assert_eq!((&*out, status), ("unknown\n", Some(0)), "{err}");
    assert!(err.contains("not supported: (bvmul "), "{err}");
}

/// A run without a verdict says what it found: up to which height it is safe, and what holds of
/// everything derivable.
#[test]
fn partial_results_are_printed() {
    let input = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 0))
        (assert (forall ((x Int) (b Int)) (=> (and (p x b) (< x 100)) (p (+ x 1) b))))
        (assert (forall ((x Int) (b Int)) (=> (and (p x b) (not (= b 0))) false)))
        (assert (forall ((x Int) (b Int)) (=> (and (p x b) (= x 50)) false)))(check-sat)";
    let options = "--engine spacer --set spacer.max-bound=3 --no-preprocess --solver native";
    let options: Vec<&str> = options.split(' ').collect();
    let output = HORN_SOLVE.run(&[&options[..], &["--model"]].concat(), input);
    assert_eq!(
        (&*text(&output.stdout), output.status.code()),
        ("unknown\n", Some(0))
    );
    let err = text(&output.stderr);
    for part in [
        "the largest bound (option max-bound) is reached",
        "safe up to depth 4",
        "; tried: spacer: ",
        "(define-fun p ((x Int) (b Int)) Bool",
        "(= b 0)",
        "; what does not follow: clause 3 does not hold for x = 50",
    ] {
        assert!(err.contains(part), "{part}: {err}");
    }
    let output = HORN_SOLVE.run(&[&options[..], &["--stats=json"]].concat(), input);
    let err = text(&output.stderr);
    let stats = err
        .lines()
        .find(|line| line.starts_with('{'))
        .expect("statistics");
    let stats: Json = serde_json::from_str(stats).expect("JSON");
    assert_eq!(
        (&stats["invariants"], &stats["safe-depth"]),
        (&Json::from(1), &Json::from(4))
    );
    let said = |key: &str| stats[key].as_str().unwrap_or_default().to_owned();
    assert!(said("candidate").contains("(= b 0)"), "{stats}");
    let failing = said("failing");
    assert!(
        failing.starts_with("clause 3 does not hold for x = 50"),
        "{stats}"
    );
    assert_eq!(stats["tried"][0]["engine"], "spacer");
}

/// The clauses and the conjuncts that a proof needs, and predicates without derivations.
#[test]
fn what_matters_is_named() {
    let input = "(set-logic HORN)
        (declare-fun p (Int Int) Bool)(declare-fun never (Int) Bool)
        (assert (! (p 0 0) :named start))
        (assert (! (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 1)))) :named step))
        (assert (! (forall ((x Int) (y Int)) (=> (and (p x y) (< x y)) (never x))) :named odd))
        (assert (! (forall ((x Int) (y Int)) (=> (and (p x y) (> x y)) false)) :named query))
        (check-sat)";
    let options = ["--core", "--model=minimal", "--solver", "native"];
    let expected = "sat\n(core start step query)\n(underivable never)\n(\n  \
        (define-fun p ((x Int) (y Int)) Bool\n    (= x y))\n  \
        (define-fun never ((x Int)) Bool\n    true)\n)\n";
    HORN_SOLVE.check(&options, input, expected, "", 0);
    let unsafe_core = "unsat\n(core |clause 0| step |clause 2|)\n(underivable)\n";
    HORN_SOLVE.check(&["--core"], UNSAFE, unsafe_core, "", 0);
    let dot = ["--proof-format", "dot", "--solver", "native"];
    let graph = text(&HORN_SOLVE.run(&dot, UNSAFE).stdout);
    assert!(
        graph.contains("f0 [label=\"(inv 0)\\nclause 0\"];"),
        "{graph}"
    );
    assert!(graph.contains("  f0 -> f1;\n"), "{graph}");
    // The same into a file; the graph of the clauses where there is no refutation.
    let directory = tempfile::tempdir().expect("a scratch directory");
    let path = directory.path().join("graph.dot");
    let options = [
        "--dot",
        path.to_str().expect("a name"),
        "--solver",
        "native",
    ];
    let written = || std::fs::read_to_string(&path).expect("it was written");
    HORN_SOLVE.check(&options, UNSAFE, "unsat\n", "", 0);
    assert_eq!(written(), graph.trim_start_matches("unsat\n"));
    HORN_SOLVE.check(&options, input, "sat\n", "", 0);
    assert!(written().starts_with("digraph system {"), "{}", written());
}

/// Other programs can follow a run.
#[test]
fn progress_is_told_as_json() {
    let options = [
        "--progress",
        "json",
        "--engine",
        "pdr",
        "--solver",
        "native",
    ];
    let output = HORN_SOLVE.run(&options, UNSAFE);
    let err = text(&output.stderr);
    let events: Vec<Json> = (err.lines())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(events.len() > 1, "{err}");
    for event in &events {
        assert_eq!(event["engine"], "pdr");
        assert!(
            event["time"].is_number() && event["depth"].is_number(),
            "{event}"
        );
    }
    let depths = events.iter().map(|event| event["depth"].as_u64());
    assert!(depths.is_sorted(), "{err}");
}
