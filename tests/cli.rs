//! The command line, as a user meets it: arguments and input, then standard output, standard error and exit status.
//!
//! Most of it needs an SMT solver, which `scripts/setup` installs.

use horn::smt::find_solver;
use serde_json::Value as Json;
use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// `inv` counts up to `n`; the query is whether it can pass.
const SAFE: &str = "(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (n Int)) (=> (and (= x 0) (>= n 0)) (inv x n))))
(assert (! (forall ((x Int) (n Int)) (=> (and (inv x n) (< x n)) (inv (+ x 1) n))) :named step))
(assert (forall ((x Int) (n Int)) (=> (and (inv x n) (> x n)) false)))
(check-sat)
";

/// `inv` counts to 3, which is not allowed.
const UNSAFE: &str = "(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (! (forall ((x Int)) (=> (and (inv x) (< x 5)) (inv (+ x 1)))) :named step))
(assert (forall ((x Int)) (=> (and (inv x) (= x 3)) false)))
(check-sat)
";

/// Nobody decides this within seconds: the product of two numbers above 1 is never one of these primes.
const HARD: &str = "(set-logic HORN)
(declare-fun p (Int Int Int Int) Bool)
(assert (forall ((a Int) (b Int)) (=> (and (> a 1) (> b 1)) (p a b 0 0))))
(assert (forall ((a Int) (b Int) (i Int) (s Int)) (=> (and (p a b i s) (< i a)) (p a b (+ i 1) (+ s b)))))
(assert (forall ((a Int) (b Int) (i Int) (s Int)) (=> (and (p a b i s) (= i a) (= s 1000003)) false)))
(check-sat)
";

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_horn-solve"));
    command.args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn start(args: &[&str], input: &str) -> Child {
    let mut child = command(args).spawn().expect("the program is built");
    // It may end before it has read everything.
    let _ = child
        .stdin
        .take()
        .expect("piped")
        .write_all(input.as_bytes());
    child
}

fn run(args: &[&str], input: &str) -> Output {
    start(args, input)
        .wait_with_output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Is there a solver to test with? There must be, unless the one who runs the tests excuses it.
fn solver_found() -> bool {
    let found = find_solver(None).is_ok();
    let excused = std::env::var("HORN_TESTS_WITHOUT_SOLVERS").is_ok_and(|v| v == "1");
    assert!(
        found || excused,
        "these tests need an SMT solver: run scripts/setup, or set HORN_TESTS_WITHOUT_SOLVERS=1"
    );
    found
}

/// Exact standard output, something that standard error contains, and the status.
#[track_caller]
fn check(args: &[&str], input: &str, stdout: &str, stderr: &str, status: i32) {
    let output = run(args, input);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(out, stdout, "standard error: {err}");
    assert!(err.contains(stderr), "standard error: {err}");
    assert_eq!(output.status.code(), Some(status), "standard error: {err}");
}

#[test]
fn wrong_usage_has_status_2() {
    check(&["--no-such-option"], "", "", "--no-such-option", 2);
    check(&["--timeout", "0"], "", "", "must be positive", 2);
    check(&["--timeout", "soon"], "", "", "not a number", 2);
    check(&["--engine", "magic"], "", "", "possible values", 2);
    for jobs in ["x", "", "1.5", "-1", "99999999999999999999"] {
        let jobs = format!("--jobs={jobs}");
        check(&[&jobs], "", "", "not a number of threads", 2);
    }
    check(
        &["--solver", "no-such-solver"],
        SAFE,
        "",
        "no-such-solver",
        2,
    );
}

#[test]
fn the_version_is_told() {
    let version = format!("horn-solve {}\n", env!("CARGO_PKG_VERSION"));
    check(&["--version"], "", &version, "", 0);
}

#[test]
fn errors_of_the_input_have_status_1() {
    let parse = &["--parse-only"];
    check(
        parse,
        "(assert (> 1 true))",
        "(error \"line 1 column 14: argument 2 of `>` has sort Bool, expected Int or Real\")\n",
        "<stdin>:1:14",
        1,
    );
    let output = run(&["--parse-only", "/no/such/file.smt2"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("(error \"/no/such/file.smt2: "));
}

#[test]
fn systems_are_classified() {
    check(
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
fn verdicts_come_first() {
    if !solver_found() {
        return;
    }
    for engine in ["auto", "pdr"] {
        check(&["--engine", engine], SAFE, "sat\n", "", 0);
        check(&["--engine", engine, "-"], UNSAFE, "unsat\n", "", 0);
    }
    check(&["--engine", "bmc"], UNSAFE, "unsat\n", "", 0);
    check(&["-v"], UNSAFE, "unsat\n", "solver: ", 0);
    check(&["--stats"], UNSAFE, "unsat\n", "; verdict: unsat\n", 0);
    check(
        &["--stats=json"],
        UNSAFE,
        "unsat\n",
        "\"verdict\":\"unsat\"",
        0,
    );
    check(&[], "(check-sat)", "sat\n", "", 0);
    check(&[], "(set-logic HORN)", "", "asks nothing", 0);
    check(
        &[],
        "(assert false)(check-sat)(exit)(assert",
        "unsat\n",
        "",
        0,
    );
}

/// What the queries are for is told by each engine, also where a limit ends the run, whoever has the last word.
#[test]
fn statistics_tell_what_the_time_was_spent_on() {
    if !solver_found() {
        return;
    }
    let output = run(&["--stats=json", "--engine", "pdr"], SAFE);
    let err = text(&output.stderr);
    let stats: Json = serde_json::from_str(err.trim()).unwrap_or_else(|e| panic!("{e}: {err}"));
    let shares = stats["shares"].as_array().expect("a list");
    assert!(shares.iter().all(|share| share["engine"] == "pdr"));
    let block = shares.iter().find(|share| share["activity"] == "block");
    let block = block.expect("something was blocked");
    assert!(block["queries"].as_u64() > Some(0), "{err}");
    assert!(block["time"].as_f64() >= Some(0.0), "{err}");
    let told: u64 = shares.iter().filter_map(|s| s["queries"].as_u64()).sum();
    assert!(Some(told) <= stats["queries"].as_u64(), "{err}");

    check(&["--stats"], SAFE, "sat\n", "; kind, unroll: ", 0);
    check(&["--stats"], SAFE, "sat\n", "; bmc, unroll: ", 0);
    let late = ["--stats", "--timeout", "1", "--engine", "pdr"];
    check(&late, HARD, "unknown\n", "; pdr, block: ", 0);
    let option = format!("(set-option :timeout 300){HARD}");
    let bmc = ["--stats", "--engine", "bmc"];
    check(&bmc, &option, "unknown\n", "; bmc, unroll: ", 0);
}

#[test]
fn systems_are_preprocessed() {
    check(&["--disable-pass", "magic"], "", "", "possible values", 2);
    // What is printed can be read again.
    let print = ["--print-preprocessed", "--disable-pass", "invariants"];
    let printed = text(&run(&print, SAFE).stdout);
    assert!(
        printed.contains("; simplify, round 1: clauses 3,"),
        "{printed}"
    );
    let again = text(&run(&print, &printed).stdout);
    let clauses = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("(assert"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(clauses(&printed).len(), clauses(&again).len());
    assert!(
        clauses(&printed)[0].contains("(=> (<= 0 n) (inv 0 n))"),
        "{printed}"
    );
    let all = text(&run(&["--print-preprocessed=all"], SAFE).stdout);
    assert!(all.ends_with("(check-sat)\n(reset)\n"), "{all}");
    assert_eq!(run(&["--parse-only"], &all).status.code(), Some(0));
    let plain = text(&run(&["--print-preprocessed", "--no-preprocess"], SAFE).stdout);
    assert!(plain.starts_with("(set-logic HORN)"), "{plain}");
    if !solver_found() {
        return;
    }
    for args in [
        &["--no-preprocess"][..],
        &["--disable-pass", "simplify"],
        &[],
    ] {
        check(args, SAFE, "sat\n", "", 0);
        check(args, UNSAFE, "unsat\n", "", 0);
    }
    check(&["-v"], SAFE, "sat\n", "simplify, round 1: clauses 3,", 0);
    check(
        &["--stats"],
        SAFE,
        "sat\n",
        "; simplify, round 1: clauses 3,",
        0,
    );
}

#[test]
fn depths_are_told() {
    if !solver_found() {
        return;
    }
    let output = run(&["-v", "--engine", "pdr"], UNSAFE);
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
    if !solver_found() {
        return;
    }
    let script = "(declare-fun p () Bool)(declare-fun q () Bool)\
        (echo \"a \"\"quoted\"\" word\")\
        (get-model)\
        (assert p)(check-sat)(get-proof)\
        (push)(assert (=> p q))(assert (not q))(check-sat)(get-model)(pop)\
        (check-sat)(get-info :reason-unknown)(get-info :name)(get-info :other)";
    check(
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
    check(&[], rules, "sat\nunsat\nsat\n", "", 0);
    // What stands before an error is answered.
    let broken = "(assert true)(check-sat)(check-sat";
    let output = run(&[], broken);
    assert!(text(&output.stdout).starts_with("sat\n(error \"line 1 column 25"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn models_are_one_list() {
    if !solver_found() {
        return;
    }
    let script = "(declare-fun |a b| (Int) Bool)(declare-fun x0 (Int Bool) Bool)(declare-fun p () Bool)\
        (assert (forall ((x Int)) (|a b| x)))(assert (not p))\
        (assert (forall ((x Int) (b Bool)) (not (x0 x b))))(check-sat)";
    let expected = "(\n  \
          (define-fun |a b| ((y0 Int)) Bool\n    true)\n  \
          (define-fun x0 ((y0 Int) (y1 Bool)) Bool\n    false)\n  \
          (define-fun p () Bool\n    false)\n\
        )\n";
    check(&["--model"], script, &format!("sat\n{expected}"), "", 0);
    let twice = format!("{script}(get-model)");
    check(&[], &twice, &format!("sat\n{expected}"), "", 0);
    // What the option has printed is not printed again.
    check(&["--model"], &twice, &format!("sat\n{expected}"), "", 0);
    let refused = format!("(set-option :produce-models false){twice}");
    let error = "(error \"models are switched off by :produce-models\")\n";
    check(&[], &refused, &format!("sat\n{error}"), "", 0);
    check(
        &["--model", "--proof"],
        UNSAFE,
        &text(&run(&["--proof"], UNSAFE).stdout),
        "",
        0,
    );
}

/// Puts the definitions of a printed model in place of the declarations, and asks again: the clauses must hold.
#[test]
fn printed_models_are_read_back() {
    if !solver_found() {
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
        let out = text(&run(&["--model"], script).stdout);
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
        check(&[], &again, "sat\n", "", 0);
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
    use std::os::unix::fs::PermissionsExt;
    if !solver_found() {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let liar = scratch.path().join("liar");
    fs::write(&liar, LIAR).expect("a file");
    fs::set_permissions(&liar, fs::Permissions::from_mode(0o755)).expect("a program");
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
    check(&args, UNSAFE, "unknown\n", &refused, 3);
    let kept = fs::read_to_string(dump.join("refused-1.smt2")).expect("a reproducer");
    assert!(kept.contains("; the answer was sat, with"), "{kept}");
    // It asks the same again.
    check(&[], &kept, "unsat\n", "", 0);
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
    if !solver_found() {
        return;
    }
    check(&["--proof"], UNSAFE, PROOF, "", 0);
    check(&[], &format!("{UNSAFE}(get-proof)"), PROOF, "", 0);
    let output = run(&["--proof-format", "json"], UNSAFE);
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
        "clause": {"id": 1, "name": "step", "line": 4},
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
    if !solver_found() {
        return;
    }
    for name in &names {
        let said = format!("; {name}: model accepted\n");
        check(&["--check-with", &names.join(",")], SAFE, "sat\n", &said, 0);
    }
    // A solver that answers nothing accepts nothing.
    let strict = ["--check-with", "false"];
    check(&strict, SAFE, "unknown\n", "; false: model not decided", 0);
    let lenient = ["--check", "lenient", "--check-with", "false"];
    check(&lenient, SAFE, "sat\n", "; certificate not checked", 0);
}

/// Ends within a second of the moment, with `unknown`, the reason, and status 0.
#[track_caller]
fn check_end(child: Child, since: Instant, reason: &str) {
    let output = child.wait_with_output().expect("the program runs");
    let took = since.elapsed();
    let err = text(&output.stderr);
    assert_eq!(text(&output.stdout), "unknown\n", "{err}");
    assert!(err.contains(reason), "{err}");
    assert_eq!(output.status.code(), Some(0));
    // A second is the promise; machines under load get some more.
    assert!(took < Duration::from_secs(3), "{took:?}");
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let status = Command::new("kill").args([name, &id]).status();
    assert!(status.expect("kill exists").success());
}

#[test]
fn signals_and_limits_give_unknown() {
    if !solver_found() {
        return;
    }
    for name in ["-INT", "-TERM"] {
        let child = start(&[], HARD);
        std::thread::sleep(Duration::from_millis(1500));
        signal(&child, name);
        check_end(
            child,
            Instant::now(),
            "; reason: interrupted; safe up to depth ",
        );
    }
    let started = Instant::now() + Duration::from_secs(1);
    check_end(
        start(&["--timeout", "1"], HARD),
        started,
        "; reason: timeout",
    );
    let option = format!("(set-option :timeout 1000){HARD}");
    let started = Instant::now() + Duration::from_secs(1);
    check_end(start(&[], &option), started, "; reason: timeout");
    let output = run(&["--memory", "1"], HARD);
    assert_eq!(text(&output.stdout), "unknown\n");
    assert!(text(&output.stderr).contains("; reason: memory limit"));
    // The reason can be asked for.
    let asked = format!("(set-option :timeout 300){HARD}(get-info :reason-unknown)");
    check(
        &[],
        &asked,
        "unknown\n(:reason-unknown \"timeout\")\n",
        "",
        0,
    );
}

#[test]
fn the_last_word_is_spoken_by_the_main_thread() {
    if !solver_found() {
        return;
    }
    // The solving thread waits for the end of its input and can be told nothing.
    let mut child = command(&[]).spawn().expect("the program is built");
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "-TERM");
    check_end(child, Instant::now(), "; reason: interrupted");
    drop(input);
    let mut child = command(&["--timeout", "0.5"])
        .spawn()
        .expect("the program is built");
    let input = child.stdin.take();
    check_end(
        child,
        Instant::now() + Duration::from_millis(500),
        "; reason: timeout",
    );
    drop(input);
}

#[test]
fn no_process_is_left_behind() {
    if !solver_found() {
        return;
    }
    let solver = find_solver(None).expect("found before").command[0].clone();
    let child = start(&["--solver", &solver], HARD);
    std::thread::sleep(Duration::from_millis(1000));
    let children = || -> Vec<String> {
        let list = format!("/proc/{0}/task", child.id());
        let threads = fs::read_dir(list).into_iter().flatten().flatten();
        let lists = threads.filter_map(|t| fs::read_to_string(t.path().join("children")).ok());
        lists
            .flat_map(|l| l.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    let before = children();
    assert!(!before.is_empty(), "a solver runs");
    signal(&child, "-TERM");
    check_end(child, Instant::now(), "interrupted");
    let alive = |id: &&String| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // A zombie is dead and waits for whoever adopted it.
        !stat.is_empty() && !stat.contains(") Z ")
    };
    let started = Instant::now();
    while before.iter().any(|id| alive(&id)) && started.elapsed() < Duration::from_secs(2) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let left: Vec<_> = before.iter().filter(alive).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_closed_standard_output_ends_it_quietly() {
    if !solver_found() {
        return;
    }
    let mut child = start(&["--proof"], UNSAFE);
    drop(child.stdout.take());
    let status = child.wait().expect("the program runs");
    let mut err = String::new();
    child
        .stderr
        .take()
        .expect("piped")
        .read_to_string(&mut err)
        .expect("text");
    assert_eq!((status.code(), err.as_str()), (Some(0), ""));
}

/// Without any external solver: everything that the embedded core decides, with certificates; of the rest, the reason.
#[test]
fn no_external_solver_is_needed() {
    let folder = tempfile::tempdir().expect("a directory");
    // Solvers are looked for near the program, too.
    let program = folder.path().join("horn-solve");
    fs::copy(env!("CARGO_BIN_EXE_horn-solve"), &program).expect("the program is built");
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
        (SAFE, "sat\n", "(define-fun inv ((x0 Int) (x1 Int)) Bool"),
        (UNSAFE, "unsat\n", "step"),
        (
            &reals("(> r s)"),
            "sat\n",
            "(define-fun inv ((x0 Real) (x1 Real)) Bool",
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
    assert_eq!((&*out, status), ("unknown\n", Some(0)), "{err}");
    assert!(
        err.contains("not supported: the sort (Array Int Int)"),
        "{err}"
    );
}

/// A run without a verdict says what it found: up to which height it is safe, and what holds of everything derivable.
#[test]
fn partial_results_are_printed() {
    let input = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 0))
        (assert (forall ((x Int) (b Int)) (=> (and (p x b) (< x 100)) (p (+ x 1) b))))
        (assert (forall ((x Int) (b Int)) (=> (and (p x b) (not (= b 0))) false)))
        (assert (forall ((x Int) (b Int)) (=> (and (p x b) (= x 50)) false)))(check-sat)";
    let options = "--engine spacer --set spacer.max-bound=3 --no-preprocess --solver native";
    let options: Vec<&str> = options.split(' ').collect();
    let output = run(&[&options[..], &["--model"]].concat(), input);
    assert_eq!(
        (&*text(&output.stdout), output.status.code()),
        ("unknown\n", Some(0))
    );
    let err = text(&output.stderr);
    for part in [
        "the largest bound is reached",
        "safe up to depth 4",
        "(define-fun p ((x0 Int) (x1 Int)) Bool",
        "(= x1 0)",
    ] {
        assert!(err.contains(part), "{part}: {err}");
    }
    let output = run(&[&options[..], &["--stats=json"]].concat(), input);
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
}
