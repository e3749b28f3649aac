//! Runs are runs: the program, compiled and given the inputs of the run, reaches the error.

use super::support::{Found, solve_text};
use horn::cfront::{Event, IntMode, Run};
use std::process::Command;

/// Functions that give inputs, by the names of their types.
const INPUTS: [(&str, &str); 5] = [
    ("int", "int"),
    ("uint", "unsigned int"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("bool", "_Bool"),
];

/// Does the program, given the inputs of the run one after the other, call `reach_error`? `None` without a compiler.
fn reaches_error(text: &str, run: &Run) -> Option<bool> {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let events = run.steps.iter().flat_map(|step| &step.events);
    let values: Vec<&str> = events
        .filter_map(|event| match event {
            Event::Input { value, .. } => Some(value.as_str()),
            Event::Change { .. } => None,
        })
        .collect();
    let mut stubs = format!(
        "#include <stdlib.h>\nstatic long long values[] = {{ {} 0 }};\nstatic unsigned at;\n\
         static long long next(void) {{ return at < {} ? values[at++] : 0; }}\n\
         void reach_error(void) {{ _Exit(42); }}\n\
         void __VERIFIER_assume(int c) {{ if (!c) _Exit(1); }}\n",
        values
            .iter()
            .map(|value| format!("{value}LL, "))
            .collect::<String>(),
        values.len()
    );
    for (name, ty) in INPUTS {
        stubs.push_str(&format!(
            "{ty} __VERIFIER_nondet_{name}(void) {{ return ({ty})next(); }}\n"
        ));
    }
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("program.c"), text).expect("the directory can be written");
    std::fs::write(path("stubs.c"), stubs).expect("the directory can be written");
    let compiled = Command::new("cc")
        .args(["-w", "-fwrapv", "-o"])
        .args([path("program"), path("program.c"), path("stubs.c")])
        .output()
        .ok()?;
    let message = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{message}\n{text}");
    let status = Command::new(path("program"))
        .status()
        .expect("it was compiled");
    Some(status.code() == Some(42))
}

fn check(body: &str) {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned int __VERIFIER_nondet_uint(void);\n\
         extern unsigned char __VERIFIER_nondet_uchar(void);\nextern _Bool __VERIFIER_nondet_bool(void);\n\
         extern void __VERIFIER_assume(int);\nextern void reach_error(void);\n{body}\n"
    );
    for ints in [IntMode::Unbounded, IntMode::Wrap] {
        let found = solve_text(&text, ints);
        if found.needs_solver() {
            continue;
        }
        let Found::Unsafe(run) = &found else {
            panic!("the error can be reached: {found:?}\n{text}");
        };
        assert_eq!(found.word(), "unsafe", "{found:?}\n{text}");
        if reaches_error(&text, run) == Some(false) {
            panic!("no run of the machine: {run:?}\n{text}");
        }
    }
}

#[test]
fn runs_of_unsafe_programs_are_runs_of_the_machine() {
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x / 7 == -3 && x % 7 == -5) reach_error(); }",
    );
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 0; while (x-- > 0 && y < 5) y += 2; if (y == 6) reach_error(); }",
    );
    check(
        "int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); __VERIFIER_nondet_int(); if ((c & 0x0c) == 8 && (c ^ 1) > 200) reach_error(); }",
    );
    check(
        "int f(int n) { if (n <= 0) return 0; return __VERIFIER_nondet_int() + f(n - 1); } int main(void) { int r = f(2); if (r == 17) reach_error(); }",
    );
    check(
        "int a[4]; int main(void) { int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= 0 && i < 4); a[i] = 3; if (a[2] == 3) reach_error(); }",
    );
    check(
        "int main(void) { unsigned u = __VERIFIER_nondet_uint(); switch (u % 5) { case 3: if (__VERIFIER_nondet_bool()) reach_error(); } }",
    );
    check(
        "struct L { int v; struct L *n; }; int main(void) { struct L a, b; a.n = &b; b.v = __VERIFIER_nondet_int(); if (a.n->v == 9) reach_error(); }",
    );
}

#[test]
fn the_broken_program_of_the_spacer_paper() {
    let text = include_str!("programs/spacer_fig2_broken.c");
    let found = solve_text(text, IntMode::Unbounded);
    let Found::Unsafe(run) = &found else {
        panic!("the error can be reached: {found:?}");
    };
    assert_ne!(reaches_error(text, run), Some(false), "{run:?}");
}
