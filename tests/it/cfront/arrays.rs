//! Small arrays that no pointer reaches are scalars, whatever their indices are.

use super::support::{Found, confirmed, read, solve_text};
use horn::cfront::{EncodeOptions, IntMode};
use horn::smtlib::system_text;
use horn::term::Terms;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n\
                       extern void reach_error(void); extern void *malloc(unsigned long);\n";

/// Does the system of a program speak of arrays?
fn has_arrays(text: &str) -> bool {
    let program = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let terms = Terms::new();
    let encoded = program.encode(&terms, EncodeOptions::default());
    let printed = system_text(&terms, encoded.system()).to_string();
    printed.contains("(Array ")
}

/// Without arrays, the embedded core decides the program, unless it multiplies variables; a run is
/// one of the machine's.
fn check(body: &str, expected: &str) {
    let text = format!("{PRELUDE}{body}\n");
    assert!(!has_arrays(&text), "{text}");
    for ints in [IntMode::Unbounded, IntMode::Wrap] {
        let found = solve_text(&text, ints);
        if found.lacks_solver() {
            continue;
        }
        assert_eq!(found.word(), expected, "{found:?}\n{text}");
        if let Found::Unsafe(run) = &found {
            let program = read(&text).expect("it was read before");
            assert_ne!(confirmed(&program, run), Some(false), "{run:?}\n{text}");
        }
    }
}

#[test]
fn constant_indices() {
    check(
        "int a[3] = {1, 2}; int main(void) { a[2] = a[0] + a[1]; if (a[2] != 3) reach_error(); }",
        "safe",
    );
    check(
        "int main(void) { char m[2][20]; m[1][19] = 5; m[0][19] = 6; if (m[1][19] == 5) reach_error(); }",
        "unsafe",
    );
    // Out of bounds, there is no run to speak of.
    check(
        "int main(void) { int a[3]; a[0] = 0; a[3] = 1; if (a[0] == 0) reach_error(); }",
        "safe",
    );
}

#[test]
fn variable_indices() {
    check(
        "int main(void) { int a[4]; int i = __VERIFIER_nondet_int(); a[2] = 1; a[i] = 3; if (a[2] != 1 && a[2] != 3) reach_error(); }",
        "safe",
    );
    check(
        "int main(void) { int a[4]; int i = __VERIFIER_nondet_int(); a[2] = 1; a[i] = 3; if (a[2] == 3) reach_error(); }",
        "unsafe",
    );
    check(
        "int main(void) { int a[4]; int i = __VERIFIER_nondet_int(); a[i] = 3; if (a[0] != 4 && (i < 0 || i > 3)) reach_error(); }",
        "safe",
    );
    check(
        "int main(void) { unsigned char c[5], i; for (i = 0; i < 5; i++) c[i] = i * i; if (c[4] != 16 || c[__VERIFIER_nondet_uchar()] > 16) reach_error(); }",
        "safe",
    );
    // A pointer that nothing is done with but comparisons.
    check(
        "int main(void) { char in[11]; char *s = in; int i = __VERIFIER_nondet_int(); in[3] = 1; if (s != &in[i] && i == 0 && in[3] == 1) reach_error(); }",
        "safe",
    );
    // An index in an index, and elements without a value.
    check(
        "int main(void) { int a[3] = {2, 0, 1}, b[3]; if (b[a[a[1]]] == 7 && b[0] == -7) reach_error(); }",
        "unsafe",
    );
    check(
        "int main(void) { int a[3] = {2, 0, 1}; int i = __VERIFIER_nondet_int(); if (a[a[a[i]]] != i) reach_error(); }",
        "safe",
    );
    // Compound assignments look and write at one place.
    check(
        "int main(void) { int a[3] = {0}; int i = 0; a[i++] += 2; a[i] -= 1; if (a[0] != 2 || a[1] != -1 || a[2] != 0 || i != 1) reach_error(); }",
        "safe",
    );
}

#[test]
fn arrays_in_structures_and_structures_in_arrays() {
    check(
        "struct S { int k; struct { short h[2]; char c; } in[2]; } s; int main(void) { int i = __VERIFIER_nondet_int();\n\
         s.in[i].h[1 - i] = 4; if (s.in[0].h[1] + s.in[1].h[0] != 4 || s.in[0].h[0] || s.in[0].c) reach_error(); }",
        "safe",
    );
    // As values: of assignments, arguments, results.
    check(
        "struct S { int a[2]; }; struct S f(struct S s) { s.a[1]++; return s; }\n\
         int main(void) { struct S x = {{1, 2}}, t[2]; t[1] = f(x); if (t[1].a[1] != 3 || x.a[1] != 2 || t[1].a[0] != 1) reach_error(); }",
        "safe",
    );
    check(
        "struct S { int a[2]; }; int main(void) { struct S t[2]; int i = __VERIFIER_nondet_int(); t[0].a[0] = 1; t[0].a[1] = 2; t[i] = t[0];\n\
         struct S u = t[1]; if (u.a[1] == 2 && t[0].a[1] != 2) reach_error(); }",
        "safe",
    );
    check(
        "int sum(int n) { int a[2]; a[n > 0] = n; if (n <= 0) return 0; int r = sum(n - 1); return r + a[1]; }\n\
         int main(void) { if (sum(2) == 3) reach_error(); }",
        "unsafe",
    );
}

#[test]
fn arrays_that_stay_arrays() {
    for body in [
        // A pointer reaches it, it is allocated, an index is a variable and it is long.
        "int a[4]; void f(int *p) { p[1] = 2; } int main(void) { f(a); if (a[__VERIFIER_nondet_int()] == 1) reach_error(); }",
        "int main(void) { int *p = malloc(4 * sizeof(int)); p[1] = 2; if (p[__VERIFIER_nondet_int()] == 1) reach_error(); }",
        "int a[100]; int main(void) { a[__VERIFIER_nondet_int()] = 1; if (a[7] == 1) reach_error(); }",
        "struct S { int a[3]; } s; int main(void) { struct S *p = &s; p->a[__VERIFIER_nondet_int()] = 1; if (s.a[1] == 1) reach_error(); }",
    ] {
        assert!(has_arrays(&format!("{PRELUDE}{body}\n")), "{body}");
    }
}
