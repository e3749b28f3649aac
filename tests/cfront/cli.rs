//! The command line: what it prints, and its exit statuses.

use std::path::Path;
use std::process::{Command, Output};

const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned int x = 0;
  while (__VERIFIER_nondet_int()) { if (x < 5) x++; }
  if (x > 5) { ERROR: return 1; }
  return 0;
}
";

const UNSAFE: &str = "#define LIMIT 3
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  if (x + LIMIT < x) reach_error();
  return 0;
}
";

fn run(directory: &Path, text: &str, options: &[&str]) -> Output {
    let file = directory.join("p.c");
    std::fs::write(&file, text).expect("the directory can be written");
    Command::new(env!("CARGO_BIN_EXE_c2horn"))
        .args(options)
        .arg(&file)
        .output()
        .expect("the program runs")
}

fn lines(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn systems_are_printed() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let output = run(directory.path(), SAFE, &["--stats"]);
    assert_eq!(output.status.code(), Some(0));
    let lines = lines(&output);
    assert!(lines[0].starts_with("; main:4: loop at "), "{lines:?}");
    assert!(lines[0].ends_with(": x"), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("(check-sat)"));
    let stats = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stats.starts_with("predicates:          1\nclauses:             3\n"),
        "{stats}"
    );
}

#[test]
fn verdicts_are_printed() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let witness = directory.path().join("w.yml");
    let path = witness.display().to_string();
    let output = run(directory.path(), SAFE, &["--verify", "--witness", &path]);
    assert_eq!(output.status.code(), Some(0));
    let verdict = lines(&output);
    assert_eq!(verdict[0], "TRUE");
    assert!(verdict[1].contains("p.c:4: in main: "), "{verdict:?}");
    let text = std::fs::read_to_string(&witness).expect("a witness");
    assert!(text.starts_with("- entry_type: invariant_set\n"), "{text}");
}

#[test]
fn an_unsigned_sum_wraps_around_without_being_asked() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let output = run(directory.path(), UNSAFE, &["--verify", "--lp64"]);
    let verdict = lines(&output);
    if verdict.is_empty() && String::from_utf8_lossy(&output.stderr).contains("preprocessor") {
        eprintln!("skipped: there is no C preprocessor");
        return;
    }
    assert_eq!(verdict[0], "FALSE(unreach-call)", "{verdict:?}");
    assert!(
        verdict
            .last()
            .is_some_and(|l| l.ends_with("p.c:6: call of reach_error")),
        "{verdict:?}"
    );
}

#[test]
fn what_a_proof_assumes_is_said() {
    let start = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";
    // With the words that standard error has, and does not have.
    let cases = [
        // No operation leaves its type: the proof speaks of the machine.
        (
            "int main(void) { int x = 0; while (x < 10) x++; if (x != 10) reach_error(); }",
            "TRUE",
            "",
        ),
        (
            "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 9 && x + 1 > 9) reach_error(); }",
            "TRUE",
            "",
        ),
        // The error is behind an overflow, the machine's run is found.
        (
            "int main(void) { int x = __VERIFIER_nondet_int();\n if (x + 1 < x) reach_error(); }",
            "FALSE(unreach-call)",
            "",
        ),
        // It needs so many rounds that nobody finds it.
        (
            "int main(void) { int x = 0; while (__VERIFIER_nondet_int())\n x++; if (x < 0) reach_error(); }",
            "TRUE",
            "p.c:4: note: TRUE assumes that signed operations do not overflow",
        ),
    ];
    for (program, verdict, note) in cases {
        let directory = tempfile::tempdir().expect("a scratch directory");
        let output = run(
            directory.path(),
            &format!("{start}{program}"),
            &["--verify", "--lp64"],
        );
        assert_eq!(lines(&output)[0], verdict, "{program}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(told.is_empty(), note.is_empty(), "{program}: {told}");
        assert!(told.contains(note), "{program}: {told}");
    }
}

#[test]
fn errors_have_statuses() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let output = run(
        directory.path(),
        "int main(void) { return y; }",
        &["--verify"],
    );
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("p.c:1:25: error: `y` is not declared"),
        "{message}"
    );
    let output = run(directory.path(), SAFE, &["--verify", "-o", "x"]);
    assert_eq!(output.status.code(), Some(2));
    let output = run(
        directory.path(),
        SAFE,
        &["--verify", "--solver", "/no/such/solver"],
    );
    assert_eq!(output.status.code(), Some(2));
}
