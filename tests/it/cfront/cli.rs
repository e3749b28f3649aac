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
            .iter()
            .any(|l| l.ends_with("p.c:6: call of reach_error")),
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

/// Witnesses are judged in the same manner as programs: a first line, and what shows it.
#[test]
fn witnesses_are_validated() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let unsafe_program = SAFE.replace("x > 5", "x > 4");
    let path = |name: &str| directory.path().join(name).display().to_string();
    for (program, name) in [(SAFE, "safe"), (unsafe_program.as_str(), "unsafe")] {
        let witness = path(name);
        run(
            directory.path(),
            program,
            &["--verify", "--lp64", "--witness", &witness],
        );
        let output = run(
            directory.path(),
            program,
            &["--validate", &witness, "--stats"],
        );
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(lines(&output)[0], "CONFIRMED", "{output:?}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("time to validate:"), "{told}");
    }
    let text = std::fs::read_to_string(path("safe")).expect("a witness");
    let value = text
        .lines()
        .find(|line| line.contains("value:"))
        .expect("an invariant");
    let wrong = path("wrong");
    std::fs::write(&wrong, text.replace(value, "      value: x < 4")).expect("a file");
    let output = run(directory.path(), SAFE, &["--validate", &wrong]);
    let found = lines(&output);
    assert!(
        found[0].starts_with("REFUTED(")
            && found[0].ends_with("p.c:4: the invariant `x < 4` does not hold)"),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|line| line.ends_with("p.c:4: an invariant does not hold"))
    );
    let text = std::fs::read_to_string(path("unsafe")).expect("a witness");
    let hash = text
        .lines()
        .find(|line| line.contains("p.c: \""))
        .expect("a hash");
    std::fs::write(
        &wrong,
        text.replace(hash, "").replace("input_file_hashes:", ""),
    )
    .expect("a file");
    let output = run(directory.path(), SAFE, &["--validate", &wrong]);
    assert_eq!(
        lines(&output)[0],
        "REFUTED(no run to the error agrees with the witness)"
    );
    // Errors have the place in the witness, and the status of other errors in the input.
    for (options, message) in [
        (
            vec!["--validate", wrong.as_str(), "--ilp32"],
            "w.yml:3:5: error: the witness is about the data model LP64, not ILP32",
        ),
        (
            vec!["--validate", "/no/such/file"],
            "/no/such/file: error: No such file",
        ),
        (vec!["--validate", "p.c"], "p.c: error: "),
    ] {
        let output = run(directory.path(), SAFE, &options);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let message = message.replace("w.yml", &wrong);
        assert!(told.contains(&message), "{told}");
        assert!(lines(&output)[0].starts_with("UNKNOWN("), "{output:?}");
    }
    let witness = path("unsafe");
    let output = run(directory.path(), SAFE, &["--validate", &witness]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        lines(&output)[0].contains("the witness is about another program"),
        "{output:?}"
    );
    let output = run(
        directory.path(),
        SAFE,
        &["--validate", &witness, "--verify"],
    );
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// How the last system was solved is among the statistics.
#[test]
fn statistics_tell_what_decided() {
    let directory = tempfile::tempdir().expect("there is a place for files");
    for (engine, expected) in [
        ("kind", ["last engine:         kind", "decided by:"]),
        (
            "predicates",
            ["last engine:         predicates", "refinements:"],
        ),
    ] {
        let output = run(
            directory.path(),
            SAFE,
            &["--verify", "--stats", "--engine", engine],
        );
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            expected.iter().all(|line| said.contains(line)),
            "{engine}: {said}"
        );
    }
}

#[test]
fn engines_have_options() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let bounded = ["--verify", "--engine", "bmc", "--set", "bmc.max-depth=0"];
    let output = run(directory.path(), SAFE, &bounded);
    let verdict = &lines(&output)[0];
    assert!(verdict.contains("option max-depth"), "{verdict}");
    let output = run(directory.path(), SAFE, &["--verify", "--set", "bmc.luck=1"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("there is no option `luck`"), "{told}");
}

#[test]
fn invariants_of_abstract_domains_are_printed() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let grows = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int main(void) { int x = 0, y = 0;\nwhile (__VERIFIER_nondet_int()) { x++; y++; }\n\
        if (x != y) reach_error(); }";
    // With what standard error begins with, if anything.
    for (program, place, note) in [
        (SAFE, "p.c:4: in main: ", ""),
        (
            grows,
            "p.c:4: in main: ",
            "p.c:4: note: the invariants assume",
        ),
    ] {
        for domain in ["intervals", "octagons", "polyhedra"] {
            let output = run(directory.path(), program, &["--invariants", domain]);
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            let found = lines(&output);
            assert!(found.len() == 1 && found[0].contains(place), "{found:?}");
            assert!(found[0].contains('x'), "{found:?}");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                told.contains(note) && told.is_empty() == note.is_empty(),
                "{told}"
            );
        }
    }
    // An unsigned number that wraps around is no larger than its type allows.
    let wraps = SAFE.replace("if (x < 5) x++;", "x++;");
    let output = run(directory.path(), &wraps, &["--invariants", "intervals"]);
    assert!(output.stderr.is_empty(), "{output:?}");
    assert!(!lines(&output).is_empty(), "{output:?}");
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

#[test]
fn headers_of_the_system_are_not_those_beside_the_program() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let write = |name: &str, text: &str| {
        std::fs::write(directory.path().join(name), text).expect("the directory can be written");
    };
    write("assert.h", "#define assert(x) ((void)0)\n");
    write("own.h", "#define LIMIT 3\n");
    let text = "#include <assert.h>\n#include \"own.h\"\nint main(void) { assert(LIMIT == 4); return 0; }\n";
    let output = run(directory.path(), text, &["--verify", "--lp64"]);
    assert_eq!(lines(&output)[0], "FALSE(unreach-call)");
}

#[test]
fn headers_are_those_of_the_data_model() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let text = "#include <assert.h>\n#include <ctype.h>\n#include <limits.h>\n#include <stdint.h>\n\
                #include <wctype.h>\nint main(void) {\n  int64_t wide = INT64_MAX; uint32_t narrow = -1; uintptr_t size = -1;\n\
                assert(wide > narrow && narrow == 4294967295u && sizeof(int64_t) == 8);\n\
                assert(isdigit('7') && !isdigit('x') && size == UINTPTR_MAX);\n";
    for (option, limit) in [
        ("--lp64", "9223372036854775807L"),
        ("--ilp32", "2147483647L"),
    ] {
        for (sign, expected) in [("==", "TRUE"), ("!=", "FALSE(unreach-call)")] {
            let text = format!("{text}  assert(LONG_MAX {sign} {limit});\n  return 0;\n}}\n");
            let output = run(directory.path(), &text, &["--verify", option]);
            assert_eq!(lines(&output)[0], expected, "{option}\n{text}");
        }
    }
}

#[test]
fn all_that_the_preprocessor_says_is_shown() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let text = "#include <no_such_header.h>\nint main(void) { return 0; }\n#error second\n";
    let output = run(directory.path(), text, &["--verify"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    for part in ["p.c:1:", "no_such_header.h"] {
        assert!(message.contains(part), "{message}");
    }
    assert!(message.lines().count() > 1, "{message}");
}

#[test]
fn runs_are_executed() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let stderr = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
                int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }\n";
    let output = run(directory.path(), text, &["--verify", "--lp64"]);
    assert_eq!(lines(&output)[0], "FALSE(unreach-call)");
    assert_eq!(stderr(&output), "");
    // The arguments of `main` are pointers to strings, which the encoding does not know.
    let text = "extern void reach_error(void);\n\
                int main(int n, char **v) { if (v == (char **)8) reach_error(); return 0; }\n";
    let output = run(directory.path(), text, &["--verify", "--lp64"]);
    let first = &lines(&output)[0];
    assert!(
        first.contains("p.c:2: a run to the error, but executed"),
        "{first}"
    );
    // The same beside other properties.
    let several = ["--verify", "--lp64", "--check", "unreach-call,no-overflow"];
    let output = run(directory.path(), text, &several);
    let first = &lines(&output)[0];
    assert!(
        first.starts_with("UNKNOWN(unreach-call: ")
            && first.contains("p.c:2: a run to the error, but executed"),
        "{first}"
    );
    let output = run(
        directory.path(),
        text,
        &["--verify", "--lp64", "--no-confirm"],
    );
    assert_eq!(lines(&output)[0], "FALSE(unreach-call)");
    assert_eq!(stderr(&output), "");
}

/// Does the machine execute programs of 32 bits that need no library?
fn has_narrow_programs(directory: &Path) -> bool {
    let text = "void _start(void) { __asm__ volatile(\"int $0x80\" : : \"a\"(1), \"b\"(7)); }";
    std::fs::write(directory.join("exit.c"), text).expect("the directory can be written");
    let options = ["-m32", "-nostdlib", "-static", "-fno-pie", "-no-pie"];
    let mut compiler = Command::new("cc");
    compiler.args(options).args(["-o", "exit", "exit.c"]);
    let compiled = compiler.current_dir(directory).output();
    let runs = || Command::new(directory.join("exit")).status();
    compiled.is_ok_and(|output| output.status.success())
        && runs().is_ok_and(|status| status.code() == Some(7))
}

/// A run that is one of 32 bits only is executed with these, whether there is a library for them or
/// not. Without that, a run that the machine contradicts is no `FALSE`.
#[test]
fn runs_of_another_data_model_are_executed() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let narrow = has_narrow_programs(directory.path());
    let text = "extern int nd(void); extern void reach_error(void); extern void *malloc(unsigned);
extern unsigned strlen(const char *); extern char *strcpy(char *, const char *);
int main(void) {
  char *s = strcpy(malloc(8), \"ab\");
  unsigned long long q = 10000000000ull + nd();
  unsigned long x = 4294967295ul;
  if (q / 7 % 1000 == 429 && strlen(s) == 2 && x + 1 == 0) reach_error();
  return 0;
}
";
    let output = run(directory.path(), text, &["--verify"]);
    let first = &lines(&output)[0];
    match narrow {
        true => assert_eq!(first, "FALSE(unreach-call)"),
        false => assert!(
            first.starts_with("UNKNOWN") || first.starts_with("FALSE"),
            "{first}"
        ),
    }
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let output = run(directory.path(), text, &["--verify", "--lp64"]);
    assert_eq!(lines(&output)[0], "TRUE");
}

#[test]
fn the_preprocessor_has_options() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let headers = directory.path().join("headers");
    std::fs::create_dir(&headers).expect("a folder");
    std::fs::write(headers.join("limit.h"), "#define LIMIT 3\n").expect("a header");
    let text = "#include <limit.h>\nextern void reach_error(void);\n\
                int main(void) { if (LIMIT + MORE != 8) reach_error(); return 0; }\n";
    let folder = format!("-I{}", headers.display());
    let output = run(
        directory.path(),
        text,
        &["--verify", "--lp64", &folder, "-DMORE=5"],
    );
    assert_eq!(lines(&output)[0], "TRUE");
    let mut command = Command::new(env!("CARGO_BIN_EXE_c2horn"));
    let compiler = format!("cc {folder} -DMORE=4");
    let output = command
        .args(["--verify", "--lp64"])
        .arg(directory.path().join("p.c"));
    let output = output
        .env("CC", compiler)
        .output()
        .expect("the program runs");
    assert_eq!(lines(&output)[0], "FALSE(unreach-call)");
    // Without a directive, the text goes through the preprocessor if an option asks for that.
    let text = "extern void reach_error(void); int main(void) { if (N) reach_error(); return 0; }";
    let output = run(directory.path(), text, &["--verify", "--lp64", "-D", "N=0"]);
    assert_eq!(lines(&output)[0], "TRUE");
}

#[test]
fn passes_are_left_out() {
    // That `s` is twice `i` is known by the pass `invariants`, and not by paths of three steps.
    let text = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int i = 0, s = 0;
  while (__VERIFIER_nondet_int()) { if (i < 1000) { i = i + 1; s = s + 2; } }
  if (i == 50 && s != 100) reach_error();
  return 0;
}
";
    let directory = tempfile::tempdir().expect("a scratch directory");
    let check = |more: &[&str], expected: &str| {
        let kind = ["--engine", "kind", "--set", "kind.invariants=none"];
        let options = [&["--verify", "--set", "kind.max-k=2"], &kind[..], more].concat();
        let found = lines(&run(directory.path(), text, &options));
        assert!(found[0].starts_with(expected), "{more:?}: {found:?}");
    };
    check(&[], "TRUE");
    check(&["--disable-pass", "invariants"], "UNKNOWN");
    check(&["--no-preprocess"], "UNKNOWN");
}
