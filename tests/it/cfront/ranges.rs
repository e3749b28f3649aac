//! Integers that wrap around are reduced only where they can.

use super::support::{read, solve_program};
use horn::cfront::{EncodeOptions, IntMode};
use horn::smtlib::system_text;
use horn::term::Terms;

/// The verdict, and whether the system reduces anything modulo a power of two.
fn check(body: &str, expected: &str, reduces: bool) {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern unsigned int __VERIFIER_nondet_uint(void);\n\
         extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);\n{body}\n"
    );
    let program = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let terms = Terms::new();
    let options = EncodeOptions {
        ints: IntMode::Wrap,
        ..EncodeOptions::default()
    };
    let encoded = program.encode(&terms, options);
    let printed = system_text(&terms, encoded.system()).to_string();
    // Constants beside the modulus become one with it.
    let moduli = [
        "4294967296",
        "(- 4294967295)",
        "(- 4294967291)",
        " 256",
        "(- 255)",
    ];
    let found = moduli.iter().any(|modulus| printed.contains(modulus));
    assert_eq!(found, reduces, "{text}\n{printed}");
    let found = solve_program(&program, IntMode::Wrap);
    if found.lacks_solver() {
        return;
    }
    assert_eq!(found.word(), expected, "{text}\n{found:?}");
}

#[test]
fn guards_bound_counters() {
    check(
        "int main(void) { int i = 0; while (i < 100) i++; if (i != 100) reach_error(); }",
        "safe",
        false,
    );
    check(
        "int main(void) { unsigned int n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; if (i != n) reach_error(); }",
        "safe",
        false,
    );
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); for (int i = n; i > 0; i--) ; if (n > 5 && n < 3) reach_error(); }",
        "safe",
        false,
    );
    // Nested loops, `break`, conversions, `!`, and a counter that is counted down.
    check(
        "int main(void) { unsigned char c = 0; int k = 9; for (int i = 0; i != 10; i++) { if (!(c < 200)) break; c += 5; if (k > -5) k--; }\n\
         if (c != 50 || k != -1) reach_error(); }",
        "safe",
        false,
    );
    check(
        "int a[4]; int main(void) { int s = 0; for (int i = 0; i < 4; i++) a[i] = i * i; for (int i = 0; i < 4; i++) { if (s > 1000) return 0; s += a[i]; }\n\
         if (s == 14) reach_error(); }",
        "unsafe",
        false,
    );
}

#[test]
fn what_may_wrap_around_is_reduced() {
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n > 0 && n + 1 < 0) reach_error(); }",
        "unsafe",
        true,
    );
    // The guard speaks of another value, comes too late, or is of a wider type.
    check(
        "int main(void) { unsigned char c = 250; int i; for (i = 0; i < 10; i++) c++; if (c == 4) reach_error(); }",
        "unsafe",
        true,
    );
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); n = n + 1; if (n < -2147483647 && n < 100) reach_error(); }",
        "unsafe",
        true,
    );
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); if ((unsigned char)n < 10) { n = n + 1; if (n < -2147483647) reach_error(); } }",
        "safe",
        true,
    );
    check(
        "unsigned int g = 4294967295u; void f(int n) { if (n > 0) { g += 1; f(n - 1); } } int main(void) { f(1); if (g == 0) reach_error(); }",
        "unsafe",
        true,
    );
}
