//! The command line: what it prints, and its exit statuses.

use crate::solvers::solver_found;
use crate::tools::tool_found;
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
    // The program defines a macro, so that the compiler's preprocessor reads it first.
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let output = run(directory.path(), UNSAFE, &["--verify", "--lp64"]);
    let verdict = lines(&output);
    assert_eq!(verdict[0], "FALSE(unreach-call)", "{verdict:?}");
    assert!(
        verdict
            .last()
            .is_some_and(|l| l.ends_with("p.c:6: call of reach_error")),
        "{verdict:?}"
    );
}

/// Over mathematical integers the question is whether the steps lead out of the type; over
/// bit-vectors three bits are the proof.
#[test]
fn what_wraps_around_is_asked_in_several_ways() {
    // Bit-vectors need an external solver.
    if !solver_found(None) {
        return;
    }
    let program = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned int x = 5; while (__VERIFIER_nondet_int()) x += 8;\n\
        if ((x & 5) != 5) reach_error(); return 0; }";
    let directory = tempfile::tempdir().expect("a scratch directory");
    let output = run(directory.path(), program, &["--verify", "--timeout", "30"]);
    assert_eq!(lines(&output)[0], "TRUE", "{output:?}");
}

#[test]
fn what_a_proof_assumes_is_said() {
    let start = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";
    let within = "int main(void) { int x = 0; while (x < 10) x++; if (x != 10) reach_error(); }";
    let guarded = "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 9 && x + 1 > 9) reach_error(); }";
    let behind =
        "int main(void) { int x = __VERIFIER_nondet_int();\n if (x + 1 < x) reach_error(); }";
    let far = "int main(void) { int x = 0; while (__VERIFIER_nondet_int())\n x++; if (x < 0) reach_error(); }";
    let harmless = "int main(void) { int x = __VERIFIER_nondet_int();\n int y = x + 1; if (y == x) reach_error(); }";
    let (assumed, default) = ("note: TRUE assumes", "");
    // With how integers are, and with the words that standard error has; none: it is empty.
    let cases = [
        // No operation leaves its type: the proof speaks of the machine.
        (within, default, "TRUE", ""),
        (guarded, default, "TRUE", ""),
        // The error is behind an overflow.
        (behind, default, "UNKNOWN(", ""),
        (behind, "--int=wrap", "FALSE(unreach-call)", ""),
        (
            behind,
            "--int=unbounded",
            "TRUE",
            "p.c:4: note: TRUE assumes",
        ),
        // So far behind that no engine finds it.
        (far, default, "TRUE", assumed),
        // There is an overflow, which is proved to do nothing.
        (harmless, default, "TRUE", ""),
        (harmless, "--int=unbounded", "TRUE", "and this one can"),
    ];
    for (program, integers, verdict, note) in cases {
        let directory = tempfile::tempdir().expect("a scratch directory");
        let options: Vec<&str> = ["--verify", "--lp64", integers]
            .into_iter()
            .filter(|option| !option.is_empty())
            .collect();
        let output = run(directory.path(), &format!("{start}{program}"), &options);
        assert!(
            lines(&output)[0].starts_with(verdict),
            "{program}: {output:?}"
        );
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(told.is_empty(), note.is_empty(), "{program}: {told}");
        assert!(told.contains(note), "{program}: {told}");
    }
}

#[test]
fn bit_operations_on_two_variables_are_exact_over_bits() {
    // Bit-vectors need an external solver.
    if !solver_found(None) {
        return;
    }
    // A sum is the number of the bits that differ, and twice the one of the common bits.
    for (sum, expected) in [(18, "FALSE(unreach-call)"), (17, "TRUE")] {
        let directory = tempfile::tempdir().expect("a scratch directory");
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {{ \
             int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if ((x & y) == 5 && x + y == {sum}) reach_error(); }}\n"
        );
        let output = run(directory.path(), &text, &["--verify", "--lp64"]);
        let verdict = &lines(&output)[0];
        assert_eq!(verdict, expected);
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
    let verdict = &lines(&output)[0];
    assert!(
        verdict.starts_with("UNKNOWN(")
            && verdict.ends_with("p.c:1:25: error: `y` is not declared)"),
        "{verdict}"
    );
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
