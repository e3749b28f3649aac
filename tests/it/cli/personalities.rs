//! Started as Z3, Eldarica or Golem, the program answers as these do.

use super::{HORN_SOLVE, SAFE, UNSAFE};
use crate::hard::HARD;
use crate::program::{Program, text};
use crate::time::PROMPTLY;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A directory with links to the program under the names of the others.
fn links() -> TempDir {
    let directory = tempfile::tempdir().expect("there is a place for files");
    for name in ["z3", "eld", "golem"] {
        let link = directory.path().join(name);
        symlink(env!("CARGO_BIN_EXE_horn-solve"), link).expect("a link");
    }
    directory
}

/// The output of the program of that name, by its file.
fn run(name: &str, arguments: &str, input: &str) -> Output {
    let directory = links();
    let path = directory.path().join(name);
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let path: &'static str = Box::leak(path.to_str().expect("text").to_owned().into());
    let child = Program::new(path).start(&arguments, input);
    child.wait_with_output().expect("it ends")
}

/// What it prints to standard output, with the exit status 0.
fn answer(name: &str, arguments: &str, input: &str) -> String {
    let output = run(name, arguments, input);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{name} {arguments}: {output:?}"
    );
    text(&output.stdout)
}

/// What Z3 prints of the refutation of [`UNSAFE`], without the clauses.
const Z3_PROOF: &str = "unsat
((set-logic HORN)
(declare-fun query!0 () Bool)
(proof
(let (($f0 (inv 0)))
(let ((@f0 ((_ hyper-res 0 0) (asserted _) $f0)))
(let (($f1 (inv 1)))
(let ((@f1 ((_ hyper-res 0 0 0 1) (asserted _) @f0 $f1)))
(let (($f2 (inv 2)))
(let ((@f2 ((_ hyper-res 0 0 0 1) (asserted _) @f1 $f2)))
(let (($f3 (inv 3)))
(let ((@f3 ((_ hyper-res 0 0 0 1) (asserted _) @f2 $f3)))
(mp ((_ hyper-res 0 0 0 1) (asserted _) @f3 query!0) (asserted (=> query!0 false)) false)))))))))))
";

/// The text with `_` for each clause.
fn without_clauses(text: &str) -> String {
    let mut parts = text.split("(asserted (forall ");
    let mut found = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut depth = 1;
        let end = part.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let end = end.expect("parentheses match");
        found += "(asserted _";
        found += &part[end + 1..];
    }
    found
}

#[test]
fn z3_answers_horn_systems() {
    assert_eq!(answer("z3", "-in", SAFE), "sat\n");
    let model = answer("z3", "-in -smt2 -model fp.spacer.mbqi=false", SAFE);
    assert!(model.starts_with("sat\n(\n  (define-fun inv ("), "{model}");
    let proof = answer("z3", "-in -t:60000", &format!("{UNSAFE}(get-proof)"));
    assert_eq!(without_clauses(&proof), Z3_PROOF);
    let statistics = answer("z3", "-st -in", SAFE);
    assert!(
        statistics.starts_with("sat\n(:verdict \"sat\"\n :"),
        "{statistics}"
    );
    assert!(answer("z3", "-version", "").starts_with("Z3 version "));
}

/// One more pigeon than there are holes, no two of them in one hole: contradictory.
fn pigeons(holes: u32) -> String {
    let var = |pigeon: u32, hole: u32| format!("p{pigeon}-{hole}");
    let mut text = String::new();
    for pigeon in 0..=holes {
        let all: Vec<String> = (0..holes).map(|hole| var(pigeon, hole)).collect();
        all.iter()
            .for_each(|name| text += &format!("(declare-const {name} Bool)"));
        text += &format!("(assert (or {}))\n", all.join(" "));
    }
    for (hole, second) in (0..holes).flat_map(|hole| (0..=holes).map(move |p| (hole, p))) {
        for first in 0..second {
            let (first, second) = (var(first, hole), var(second, hole));
            text += &format!("(assert (or (not {first}) (not {second})))");
        }
    }
    text + "(check-sat)"
}

#[test]
fn z3_answers_other_scripts() {
    let script = "(declare-const x Int)(assert (< 3 x 5))(check-sat)\n(get-value (x))\n(assert (< x 0))(check-sat)";
    assert_eq!(answer("z3", "-in", script), "sat\n((x 4))\nunsat\n");
    let bits = "(set-logic QF_BV)(declare-const b (_ BitVec 8))(assert (= b #x0a))
        (declare-const c (_ BitVec 3))(assert (= c #b010))(check-sat)(get-value (b c))";
    assert_eq!(answer("z3", "-in", bits), "sat\n((b #x0a)\n (c #b010))\n");
    // What Z3's options ask beside holds for them, too.
    let model = answer(
        "z3",
        "-in -model -st",
        "(declare-const x Int)(assert (< 3 x 5))(check-sat)",
    );
    assert!(model.starts_with("sat\n(\n"), "{model}");
    assert!(model.contains("(define-fun x () Int 4)"), "{model}");
    assert!(model.contains(":checks"), "{model}");
    assert_eq!(answer("z3", "-in rlimit=1", &pigeons(9)), "unknown\n");
    let wrong = run("z3", "-in", "(assert (foo))");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stdout).starts_with("(error \""), "{wrong:?}");
}

/// Whoever writes and waits for each answer gets it.
#[test]
fn z3_answers_while_it_reads() {
    use std::io::{BufRead, BufReader, Write};
    let directory = links();
    let mut child = Command::new(directory.path().join("z3"))
        .arg("-in")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program is built");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    for (asked, expected) in [
        (
            "(declare-const x Int)(assert (> x 1))(check-sat)\n",
            "sat\n",
        ),
        ("(push)(assert (< x 1))(check-sat)\n", "unsat\n"),
        ("(pop)(check-sat)\n", "sat\n"),
    ] {
        input.write_all(asked.as_bytes()).expect("it reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        assert_eq!(line, expected, "{asked}");
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn z3_has_its_words_for_limits_and_wrong_options() {
    // More ticks than the limit are needed, on every machine.
    let hard = UNSAFE
        .replace("(< x 5)", "(< x 500)")
        .replace("(= x 3)", "(= x 400)");
    assert_eq!(answer("z3", "-in rlimit=1", &hard), "unknown\n");
    assert_eq!(answer("z3", "-in rlimit=0", UNSAFE), "unsat\n");
    for (arguments, status, out, err) in [
        (
            "-in -foo",
            109,
            "",
            "Error: invalid command line option: -foo",
        ),
        (
            "-in -T:x",
            109,
            "",
            "Error: invalid argument for -T option, it must be a non-negative integer.",
        ),
        (
            "-in rlimit=x",
            110,
            "",
            "ERROR: Expected values for parameter rlimit is an unsigned integer. It was given argument 'x'",
        ),
        (
            "/no/such/file",
            108,
            "",
            "(error \"failed to open file '/no/such/file'\")",
        ),
        ("-in -memory:1", 101, "(error \"out of memory\")\n", ""),
    ] {
        let output = run("z3", arguments, HARD);
        let (said_out, said_err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments}: {output:?}"
        );
        assert_eq!(said_out, out, "{arguments}");
        assert_eq!(said_err.lines().next().unwrap_or(""), err, "{arguments}");
    }
}

/// An option that is given twice counts as it was given last.
#[test]
fn the_last_of_two_options_counts() {
    for arguments in [
        "-in -T:5 -T:60",
        "-in -model -model",
        "-in rlimit=1 rlimit=100000000",
        "-in -memory:1 -memory:4000",
    ] {
        let answer = answer("z3", arguments, SAFE);
        assert!(answer.starts_with("sat\n"), "{arguments}: {answer}");
    }
    assert_eq!(answer("eld", "-in -t:0 -t:60", SAFE), "sat\n");
    assert_eq!(
        answer("golem", "-e tpa --engine spacer -i -", SAFE),
        "sat\n"
    );
}

/// Clients of other programs expect nothing on standard error, unless they ask for it.
#[test]
fn standard_error_is_silent() {
    for (name, arguments, expected) in [
        ("z3", "-in -t:300", "unknown\n"),
        ("z3", "-in -T:1", "timeout\n"),
        ("z3", "-in rlimit=10000", "unknown\n"),
        ("eld", "-in -t:0.5", "unknown\n"),
    ] {
        let output = run(name, arguments, HARD);
        assert_eq!(text(&output.stdout), expected, "{name} {arguments}");
        assert_eq!(text(&output.stderr), "", "{name} {arguments}");
    }
    let output = run("z3", "-in -t:300 -v:1", HARD);
    assert!(
        text(&output.stderr).contains("; reason: timeout"),
        "{output:?}"
    );
}

/// The end of the whole run's time is `timeout`, that of a check is `unknown`.
#[test]
fn z3_tells_the_limit_of_the_run_from_that_of_a_check() {
    let mut text =
        String::from("(set-logic HORN)\n(declare-fun p (Int Int Int) Bool)\n(assert (p 1 1 1))\n");
    text += "(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p (* x y) (+ (* z z) x) (- (* y z) x)))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= (* x z) (+ (* y y) 12345))) false)))\n";
    let start = Instant::now();
    assert_eq!(
        answer("z3", "-in -T:1", &format!("{text}(check-sat)")),
        "timeout\n"
    );
    assert_eq!(
        answer("z3", "-in -t:500", &format!("{text}(check-sat)")),
        "unknown\n"
    );
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// A client that writes more than a pipe holds is not killed by an early end.
#[test]
fn standard_input_is_read_to_its_end() {
    use std::io::Write;
    let directory = links();
    let comments = "; a comment\n".repeat(100_000);
    let ended = format!("{SAFE}(exit)\n{comments}");
    let long = format!("{comments}{SAFE}");
    let own = env!("CARGO_BIN_EXE_horn-solve");
    for (name, arguments, solver, text, status) in [
        ("z3", "-in", "native", &ended, 0),
        ("eld", "-in", "native", &ended, 0),
        ("golem", "-i -", "native", &ended, 0),
        (own, "-", "native", &ended, 0),
        ("z3", "-in", "no-such-solver", &long, 2),
        ("z3", "-in -foo", "native", &long, 109),
        ("z3", "-in rlimit=x", "native", &long, 110),
        ("z3", "-in -memory:x", "native", &long, 110),
        ("z3", "-in -version", "native", &long, 0),
        ("z3", "-in -h", "native", &long, 0),
        ("eld", "-in -foo", "native", &long, 0),
        ("golem", "-foo -i -", "native", &long, 2),
        (own, "--nope -", "native", &long, 2),
    ] {
        let mut child = Command::new(directory.path().join(name))
            .args(arguments.split_whitespace())
            .env("HORN_SOLVER", solver)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program is built");
        let mut input = child.stdin.take().expect("piped");
        let written = input.write_all(text.as_bytes());
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        assert!(
            written.is_ok(),
            "{name} {arguments}: {written:?}, {output:?}"
        );
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments}: {output:?}"
        );
    }
}

/// A client may keep its end of the pipe while it waits for the end of the program.
#[test]
fn an_open_input_does_not_keep_the_program() {
    use std::io::Write;
    let directory = links();
    for (arguments, text) in [
        ("-in", format!("{SAFE}(exit)\n")),
        ("-in -foo", String::new()),
    ] {
        let mut child = Command::new(directory.path().join("z3"))
            .args(arguments.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program is built");
        let mut input = child.stdin.take().expect("piped");
        input.write_all(text.as_bytes()).expect("it reads");
        let started = Instant::now();
        child.wait().expect("it ends");
        assert!(started.elapsed() < PROMPTLY, "{arguments}");
        drop(input);
    }
}

#[test]
fn eldarica_prints_definitions_and_derivations() {
    assert_eq!(answer("eld", "-horn -hsmt -in -t:60", SAFE), "sat\n");
    let model = answer("eld", "-hsmt -in -ssol", SAFE);
    assert!(
        model.starts_with("sat\n(\n    (define-fun inv ("),
        "{model}"
    );
    assert!(model.ends_with(")\n)\n"), "{model}");
    let derivation = "unsat

0: FALSE -> 1
1: inv(3) -> 2
2: inv(2) -> 3
3: inv(1) -> 4
4: inv(0)
";
    assert_eq!(answer("eld", "-cex -in", UNSAFE), derivation);
    let derivation = "unsat

0: false -> 1
1: (inv 3) -> 2
2: (inv 2) -> 3
3: (inv 1) -> 4
4: (inv 0)
";
    assert_eq!(answer("eld", "-scex -portfolio -in", UNSAFE), derivation);
    // Two premises, a negative number, and a predicate without arguments.
    let tree = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q () Bool)
        (assert (p (- 2)))(assert q)(assert (=> (and (p (- 2)) q) false))";
    let found = answer("eld", "-cex -in", tree);
    assert_eq!(found, "unsat\n\n0: FALSE -> 1, 2\n1: p(-2)\n2: q\n");
    let unchecked = answer("eld", "-in", &SAFE.replace("(check-sat)", ""));
    assert_eq!(unchecked, "sat\n");
    let wrong = answer("eld", "-in -foo", SAFE);
    let error = "(error \"unrecognized option '-foo'\")\n";
    assert!(wrong.ends_with(error), "{wrong}");
}

/// The compiler's client reads no body that is the cell of an array.
#[test]
fn bodies_of_models_begin_with_a_connective() {
    let text = "(set-logic HORN)(declare-fun p (Int (Array Int Bool)) Bool)
        (assert (forall ((i Int) (a (Array Int Bool))) (=> (select a i) (p i a))))
        (assert (forall ((i Int) (a (Array Int Bool))) (=> (and (p i a) (not (select a i))) false)))(check-sat)(get-model)";
    let body = "(and (select x1 x0) true)";
    for name in ["z3", "eld"] {
        let model = answer(name, "-in", text);
        assert!(model.contains(body), "{name}: {model}");
    }
    let model = answer("golem", "-i -", text);
    assert!(
        model.contains("(select x1 x0)") && !model.contains(body),
        "{model}"
    );
}

#[test]
fn golem_prints_witnesses() {
    let directory = tempfile::tempdir().expect("there is a place for files");
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("it is written");
        path.to_str().expect("text").to_owned()
    };
    let (safe, broken) = (file("safe.smt2", SAFE), file("broken.smt2", UNSAFE));
    assert_eq!(
        answer("golem", &format!("-l QF_LIA -e spacer {safe}"), ""),
        "sat\n"
    );
    let witness = answer("golem", &format!("--print-witness -i {safe}"), "");
    assert!(
        witness.starts_with("sat\n(\n  (define-fun inv"),
        "{witness}"
    );
    let witness = answer("golem", &format!("-e lawi --print-witness {broken}"), "");
    let legacy = "unsat
0:\ttrue
1:\t(inv 0) ->  0

2:\t(inv 1) ->  1

3:\t(inv 2) ->  2

4:\t(inv 3) ->  3

5:\tfalse ->  4


";
    assert_eq!(witness, legacy);
    let arguments = format!("--print-witness --proof-format intermediate {broken}");
    let steps = answer("golem", &arguments, "");
    let first = "unsat
0\t (forall ((x Int)) (=> (= x 0) (inv x)))  :args (0)
1\t (=> (= 0 0) (inv 0)) 
2\t (=> true (inv 0)) 
3\t (inv 0) 
4\t (forall ((x Int)) (=> (and (inv x) (< x 5)) (inv (+ x 1))))  :args (0)
5\t (=> (and (inv 0) (< 0 5)) (inv (+ 0 1))) 
6\t (=> (inv 0) (inv 1)) 
7\t (inv 1)  :premises 3 
";
    assert!(steps.starts_with(first), "{steps}");
    assert!(steps.ends_with("\n19\t false  :premises 15 \n"), "{steps}");
    let alethe = answer("golem", &format!("--proof-format alethe {broken}"), "");
    assert_eq!(alethe, "unsat\n");
    let arguments = format!("--proof-format alethe --print-witness {broken}");
    let alethe = answer("golem", &arguments, "");
    assert!(alethe.contains("(assume "), "{alethe}");
    let wrong = run("golem", &format!("-e foo {safe}"), "");
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

#[test]
fn the_name_can_be_given_as_an_option() {
    HORN_SOLVE.check(&["--as", "z3", "-in"], SAFE, "sat\n", "", 0);
    HORN_SOLVE.check(
        &["--as=horn-solve", "--timeout", "60"],
        SAFE,
        "sat\n",
        "",
        0,
    );
    HORN_SOLVE.check(
        &["--as", "boolector"],
        SAFE,
        "",
        "possible values: horn-solve, z3",
        2,
    );
    let first = "--as must be the first argument";
    HORN_SOLVE.check(&["-", "--as", "z3"], SAFE, "", first, 2);
    HORN_SOLVE.check(&["--timeout", "60", "--as=eld", "-"], SAFE, "", first, 2);
    let golem = ["--as", "golem", "-i", "-", "--as", "z3"];
    HORN_SOLVE.check(&golem, SAFE, "", first, 2);
    let z3 = ["--as", "z3", "-in", "--as", "eld"];
    HORN_SOLVE.check(&z3, SAFE, "", "invalid command line option: --as", 109);
}

/// A limit of work has another name than a limit of time, in a script and on the command line.
#[test]
fn the_limit_of_work_is_named() {
    let asked = format!("{HARD}(get-info :reason-unknown)");
    let own = "unknown\n(:reason-unknown \"work limit\")\n";
    HORN_SOLVE.check(
        &["--ticks", "20000"],
        &asked,
        own,
        "; reason: work limit",
        0,
    );
    let script = format!("(set-option :rlimit 10000){asked}");
    HORN_SOLVE.check(&[], &script, own, "; reason: work limit", 0);
    let z3 = "unknown\n(:reason-unknown \"max. resource limit exceeded\")\n";
    assert_eq!(answer("z3", "-in rlimit=10000", &asked), z3);
    assert_eq!(answer("z3", "-in", &script), z3);
    let holes = pigeons(9) + "(get-info :reason-unknown)";
    assert_eq!(answer("z3", "-in rlimit=1", &holes), z3);
    assert_eq!(
        answer("z3", "-in", &format!("(set-option :rlimit 1){holes}")),
        z3
    );
}

/// A copy of the program is no solver for it either.
#[test]
fn a_copy_is_no_solver() {
    let directory = tempfile::tempdir().expect("there is a place for files");
    let copy = directory.path().join("z3");
    std::fs::copy(env!("CARGO_BIN_EXE_horn-solve"), &copy).expect("it is copied");
    let copy = copy.to_str().expect("text");
    let message = format!("the SMT solver {copy} (as asked) is this program itself");
    HORN_SOLVE.check(&["--solver", copy], SAFE, "", &message, 2);
}

/// The Solidity compiler's client code accepts the answers.
#[test]
fn the_solidity_compiler_accepts_answers() {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tools/solc-client");
    if !client.is_dir() {
        eprintln!("not tested: there is no client of the Solidity compiler");
        return;
    }
    let directory = links();
    let path = std::env::var("PATH").unwrap_or_default();
    for (solver, query, expected) in [
        ("z3", "q.1.smt2", "RESULT: SAFE"),
        ("z3", "q.2.smt2", "root found"),
        ("eld", "q.1.smt2", "RESULT: SAFE"),
        ("eld", "q.2.smt2", "RESULT: UNSAFE"),
    ] {
        let output = Command::new(client.join("solc-harness"))
            .args([solver, &format!("examples/{query}"), "60000", "inv"])
            .current_dir(&client)
            .env("LD_LIBRARY_PATH", &client)
            .env("PATH", format!("{}:{path}", directory.path().display()))
            .output();
        let output = match output {
            Ok(output) => text(&output.stdout),
            Err(error) => {
                eprintln!("not tested: the client does not run here: {error}");
                return;
            }
        };
        assert!(output.contains(expected), "{solver} {query}: {output}");
    }
}
