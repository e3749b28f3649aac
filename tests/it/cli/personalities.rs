//! Started as Z3, Eldarica or Golem, the program answers as these do.

use super::{HORN_SOLVE, SAFE, UNSAFE};
use crate::program::{Program, text};
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
    let wrong = run("z3", "-in -foo", SAFE);
    assert_eq!(wrong.status.code(), Some(109));
    assert!(text(&wrong.stderr).contains("invalid command line option: -foo"));
    let missing = run("z3", "/no/such/file", "");
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        text(&missing.stdout).starts_with("(error \""),
        "{missing:?}"
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
    let nowhere = "no-such-solver";
    for (name, arguments) in [
        ("z3", vec!["-in", "-foo"]),
        ("eld", vec!["-in", "-foo"]),
        ("z3", vec!["-in"]),
    ] {
        let mut child = Command::new(directory.path().join(name))
            .args(&arguments)
            .env("HORN_SOLVER", nowhere)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program is built");
        let mut input = child.stdin.take().expect("piped");
        let text = format!("{}{SAFE}", "; a comment\n".repeat(100_000));
        let written = input.write_all(text.as_bytes());
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        assert!(
            written.is_ok(),
            "{name} {arguments:?}: {written:?}, {output:?}"
        );
        assert_ne!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn eldarica_prints_definitions() {
    assert_eq!(answer("eld", "-horn -hsmt -in -t:60", SAFE), "sat\n");
    let model = answer("eld", "-hsmt -in -ssol", SAFE);
    assert!(model.starts_with("sat\n(define-fun inv ("), "{model}");
    let proof = answer("eld", "-hsmt -in -scex -portfolio", UNSAFE);
    assert_eq!(without_clauses(&proof), Z3_PROOF);
    assert!(answer("eld", "-cex -in", UNSAFE).starts_with("unsat\n0: (inv 0)\n"));
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
    assert!(witness.starts_with("unsat\n0: (inv 0)\n"), "{witness}");
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
