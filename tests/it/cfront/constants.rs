//! Constant expressions, and what else of C11 and GNU C is read.

use super::support::{read, solve_text};
use horn::cfront::IntMode;

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

/// After `body`, the condition always holds.
fn holds(before: &str, body: &str, condition: &str) {
    for (condition, expected) in [
        (format!("!({condition})"), "safe"),
        (condition.to_owned(), "unsafe"),
    ] {
        let text = format!(
            "{INPUTS}{before}\nint main(void) {{\n{body}\nif ({condition}) reach_error();\nreturn 0;\n}}\n"
        );
        let found = solve_text(&text, IntMode::Wrap);
        if !found.lacks_solver() {
            assert_eq!(found.word(), expected, "{text}\n{found:?}");
        }
    }
}

#[test]
fn constant_expressions_have_values() {
    for (before, body, condition) in [
        // As <ctype.h> of the GNU library has them.
        (
            "enum { A = ((0) < 8 ? ((1 << (0)) << 8) : ((1 << (0)) >> 8)), B = 9 < 8 ? 1 : 2 };",
            "",
            "A == 256 && B == 2",
        ),
        (
            "enum { A = 2 && !0, B = 0 || 0, C = 1 || 1 / 0, D = 0 && 1 / 0 };",
            "",
            "A == 1 && B == 0 && C == 1 && D == 0",
        ),
        (
            "enum { A = 0xffffffffu, B = 1 }; enum e { C = 0xffffffffffffffffu };",
            "",
            "A == -1 && B > -1 && C > 0 && sizeof(enum e) == 8",
        ),
        (
            "enum { A = sizeof(int) == 4 ? 7 : -1 };",
            "int a[A > 3 ? 5 : 2];",
            "sizeof a == 20",
        ),
        (
            "struct S { unsigned a : 1 ? 3 : 4; };",
            "struct S s; s.a = 9;",
            "s.a == 1",
        ),
        (
            "",
            "int x; switch (3) { case (1 ? 3 : 4): x = 1; break; default: x = 2; }",
            "x == 1",
        ),
        (
            "enum { A = -1 < 0u ? 1 : 2, B = (0 ? -1 : 0u) - 1 > 0 };",
            "",
            "A == 2 && B == 1",
        ),
        (
            "_Static_assert(sizeof(long) == 8, \"long\");",
            "_Static_assert(1 ? 2 : 0, \"\");",
            "1",
        ),
        (
            "struct S { _Static_assert(4 > 3, \"\"); char c; };",
            "",
            "sizeof(struct S) == 1",
        ),
        (
            "struct S { char c; int m[3]; struct { short h; } in; };",
            "",
            "__builtin_offsetof(struct S, m[2]) == 12 && __builtin_offsetof(struct S, in.h) == 16",
        ),
        (
            "",
            "unsigned short h = 1;",
            "_Generic(h, unsigned short: 3, default: 4) == 3 && _Generic(&h, int: 1, default: 2) == 2",
        ),
        (
            "",
            "int c = 'ab';",
            "c == 24930 && '\\xff' == -1 && L'x' == 120",
        ),
        ("", "int x = 1 ? 2 : 1 / 0;", "x == 2"),
    ] {
        holds(before, body, condition);
    }
}

/// `_Generic` tells types apart that have the same values, and pointers by qualifiers.
#[test]
fn types_of_the_same_values_are_told_apart() {
    let before = "typedef const char *text; struct P { long n; const int *p; char c; }; \
                  enum e { A, B }; long far(void) { return 1; } \
                  int f(const int *p, int a[], signed char c) { return _Generic(p, int *: 1, const int *: 2) * 100 \
                  + _Generic(a, int *: 3, const int *: 4) * 10 + _Generic(c, char: 5, signed char: 6); }";
    for (body, condition) in [
        (
            "long n = 0; long long m = 0;",
            "_Generic(n, long: 1, long long: 2) == 1 && _Generic(m, long: 1, long long: 2) == 2 && _Generic(n + m, long: 1, long long: 2) == 2",
        ),
        (
            "char c = 0; signed char s = 0; const char k = 0;",
            "_Generic(c, signed char: 1, char: 2) == 2 && _Generic(s, char: 1, signed char: 2) == 2 && _Generic(k, const char: 1, char: 2) == 2",
        ),
        (
            "int x = 0; const int k = 0; int *p = &x; int *const q = &x; int a[2]; const int *z = 0;",
            "_Generic(&x, const int *: 1, int *: 2) == 2 && _Generic(&k, int *: 1, const int *: 2) == 2 \
             && _Generic(q, const int *: 1, int *: 2) == 2 && _Generic(a, const int *: 1, int *: 2) == 2 \
             && _Generic(z, int *: 1, const int *: 2) == 2 && _Generic(&a[1], int *: 1, default: 2) == 1 \
             && _Generic(*&z, int *: 1, default: 2) == 2 && _Generic(p + 1, int *: 1, default: 2) == 1",
        ),
        (
            "struct P s = { 1, 0, 'c' }; const struct P t = s, *p = &t;",
            "_Generic(s.n, long long: 1, long: 2) == 2 && _Generic(s.p, int *: 1, const int *: 2) == 2 \
             && _Generic(&s.c, const char *: 1, char *: 2) == 2 && _Generic(&t.c, const char *: 1, char *: 2) == 1 \
             && _Generic(&p->n, const long *: 1, long *: 2) == 1",
        ),
        (
            "text t = \"a\"; typeof(t) u = t; enum e e = A;",
            "_Generic(t, char *: 1, const char *: 2) == 2 && _Generic(u, char *: 1, const char *: 2) == 2 \
             && _Generic(\"a\", char *: 1, default: 2) == 1 && _Generic(&e, unsigned *: 1, int *: 2) == 1 \
             && _Generic((const char *)t, char *: 1, text: 2) == 2",
        ),
        (
            "int r = f(0, 0, 0);",
            "r == 236 && _Generic(far(), long long: 1, long: 2) == 2 && _Generic(sizeof r, unsigned long: 1, default: 2) == 1 \
             && _Generic(1L, long long: 1, long: 2) == 2 && _Generic(1ll, long long: 1, long: 2) == 1 && _Generic(&f, default: 3) == 3",
        ),
    ] {
        holds(before, body, condition);
    }
}

#[test]
fn chains_of_conditionals_are_read_once() {
    let mut chain = "0".to_owned();
    for at in 0..60 {
        chain = format!("x == {at} ? {at} + 1 : ({chain})");
    }
    let text = format!(
        "{INPUTS}int main(void) {{ int x = __VERIFIER_nondet_int(); int y = {chain}; if (y > 60) reach_error(); return 0; }}"
    );
    let found = solve_text(&text, IntMode::Wrap);
    assert!(found.lacks_solver() || found.word() == "safe", "{found:?}");
}

#[test]
fn static_assertions_fail() {
    for (text, expected) in [
        (
            "_Static_assert(sizeof(int) == 8, \"int\");\nint main(void) { return 0; }",
            "test.c:1:1: error: a static assertion fails: int",
        ),
        (
            "int main(void) {\n  _Static_assert(0 ? 1 : 0, \"no\");\n  return 0;\n}",
            "test.c:2:3: error: a static assertion fails: no",
        ),
    ] {
        let error = read(text).err().expect("the assertion fails");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn wide_characters_are_encoded_and_what_has_no_type_is_not_guessed() {
    for (body, expected) in [
        (
            "int *w = (int *)L\"ab\"; if (w[0] != 'a') reach_error();",
            "safe",
        ),
        ("if (sizeof L\"ab\" != 12) reach_error();", "safe"),
        ("if (sizeof L\"ab\" == 12) reach_error();", "unsafe"),
        (
            "long x = 0; if (_Generic(x, long long: 1, default: 0)) reach_error();",
            "safe",
        ),
    ] {
        let text = format!("{INPUTS}int main(void) {{ {body} return 0; }}");
        let found = solve_text(&text, IntMode::Wrap);
        assert!(
            found.lacks_solver() || found.word() == expected,
            "{text}\n{found:?}"
        );
    }
}
