//! Runs and invariants as people see them: what `c2horn --verify` prints, compared with files.
//!
//! `UPDATE_TRACES=1` writes the files anew.

use super::own::versions;
use crate::tools::tool_found;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/cfront/traces")
}

/// What is printed for a program, without the path of its file.
fn printed(directory: &Path, name: &str, text: &str, options: &[&str]) -> String {
    let file = directory.join(name);
    std::fs::write(&file, text).expect("the directory can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_c2horn"))
        .args(["--verify", "--lp64"])
        .args(options)
        .arg(&file)
        .output()
        .expect("the program runs");
    let place = format!("{}/", directory.display());
    String::from_utf8_lossy(&output.stdout).replace(&place, "")
}

#[track_caller]
fn check(name: &str, text: &str, options: &[&str], golden: &str) {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let found = printed(directory.path(), name, text, options);
    let path = folder().join(golden);
    if std::env::var_os("UPDATE_TRACES").is_some() {
        std::fs::write(&path, &found).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{golden}");
    for line in found.lines() {
        assert!(line.len() < 400, "{line}");
        assert!(!line.ends_with(": 1"), "{line}");
        let place = line.trim_end_matches(|c: char| c.is_ascii_digit());
        assert!(
            !place.ends_with(&format!("{name}:")),
            "a bare line number: {line}"
        );
    }
}

#[test]
fn runs_are_told_in_the_words_of_the_source() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    for name in [
        "bank",
        "linked_list",
        "fixed_point",
        "date",
        "allocator",
        "doubly_linked",
    ] {
        let file = format!("{name}.c");
        let [_, wrong] = versions(&file);
        check(&file, &wrong, &[], &format!("{name}.txt"));
    }
}

/// A function that calls itself keeps its name, its arguments and its results.
#[test]
fn calls_of_recursive_functions_are_told() {
    let text = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int sum(int n) {
  if (n <= 0) return 0;
  return n + sum(n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 5) return 0;
  if (sum(n) == 6) reach_error();
  return 0;
}
";
    check("sum.c", text, &[], "sum.txt");
}

/// Elements of arrays of arrays of variable length have the names that the source gives them.
#[test]
fn rows_of_variable_length_are_told() {
    let text = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void set(int n, int m, int a[n][m], int value) {
  a[n - 1][1] = value;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), m = 3;
  if (n < 2 || n > 4) return 0;
  int a[n][m];
  a[0][2] = 5;
  set(n, m, a, 7);
  int (*row)[m] = &a[1];
  if (row[0][1] == 7 && a[0][2] == 5) reach_error();
  return 0;
}
";
    check("rows.c", text, &[], "rows.txt");
}

#[test]
fn invariants_are_short() {
    let text = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, unused = 0;
  if (n < 0) return 0;
  while (i < n) {
    i++;
    unused += 2;
  }
  if (i != n) reach_error();
  return 0;
}
";
    check("loop.c", text, &[], "loop.txt");
}

#[test]
fn json_has_what_the_text_has() {
    let text = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int twice(int x) { return 2 * x; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (twice(x) == 14) reach_error();
  return 0;
}
";
    let directory = tempfile::tempdir().expect("a scratch directory");
    let found = printed(directory.path(), "twice.c", text, &["--trace", "json"]);
    let json: Json =
        serde_json::from_str(&found).unwrap_or_else(|error| panic!("{error}\n{found}"));
    assert_eq!(json["verdict"], "false");
    assert_eq!(json["complete"], true);
    let trace = json["trace"].as_array().expect("a list");
    let has = |kind: &str, key: &str, value: Json| {
        let mut events = trace.iter();
        assert!(
            events.any(|event| event["kind"] == kind && event[key] == value),
            "{kind} {key}\n{found}"
        );
    };
    has("input", "from", "__VERIFIER_nondet_int".into());
    has("input", "value", "7".into());
    has("change", "variable", "x".into());
    has("call", "callee", "twice".into());
    has("return", "value", "14".into());
    has("test", "condition", "twice() == 14".into());
    let call = trace.iter().find(|event| event["kind"] == "call");
    let call = call.expect("a call");
    assert_eq!(call["arguments"][0]["name"], "x");
    assert_eq!((&call["line"], &call["depth"]), (&6.into(), &0.into()));
    let end = &json["end"];
    assert_eq!(
        (&end["line"], &end["what"]),
        (&6.into(), &"call of reach_error".into())
    );
    assert_eq!(end["text"], "if (twice(x) == 14) reach_error();");

    let safe = text.replace("== 14", "== 15");
    let found = printed(directory.path(), "twice.c", &safe, &["--trace", "json"]);
    let json: Json =
        serde_json::from_str(&found).unwrap_or_else(|error| panic!("{error}\n{found}"));
    assert_eq!(json["verdict"], "true", "{found}");
}
