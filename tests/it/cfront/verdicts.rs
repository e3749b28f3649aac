//! Programs and their verdicts, each line a construct.

use super::support::solve_text;
use horn::cfront::IntMode;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void abort(void);
extern void reach_error(void);
#define CHECKED
";

/// In `main`, with what comes before it: is `reach_error` reached?
fn check(before: &str, body: &str, expected: &str) {
    check_mode(before, body, expected, IntMode::Wrap);
}

fn check_mode(before: &str, body: &str, expected: &str, ints: IntMode) {
    let prelude = PRELUDE.replace("#define CHECKED\n", "");
    let text = format!("{prelude}{before}\nint main(void) {{\n{body}\nreturn 0;\n}}\n");
    let found = solve_text(&text, ints);
    if found.lacks_solver() {
        return;
    }
    assert_eq!(found.word(), expected, "{text}\n{found:?}");
}

/// `condition` always holds at the end of `body`, and the end is reached.
fn holds(before: &str, body: &str, condition: &str) {
    check(
        before,
        &format!("{body}\nif (!({condition})) reach_error();"),
        "safe",
    );
    check(
        before,
        &format!("{body}\nif ({condition}) reach_error();"),
        "unsafe",
    );
}

#[test]
fn arithmetic_is_that_of_the_machine() {
    holds(
        "",
        "int x = -7;",
        "x / 2 == -3 && x % 2 == -1 && x / -2 == 3 && x % -2 == -1",
    );
    holds("", "unsigned char c = 250; c += 10;", "c == 4");
    holds("", "signed char c = 127; c++;", "c == -128");
    holds("", "unsigned int u = 5;", "u - 6 > 100");
    holds("", "int i = -1; unsigned int u = 1;", "i > u");
    holds(
        "",
        "short s = -1; unsigned short u = s;",
        "u == 65535 && s < u",
    );
    holds(
        "",
        "long l = 1L << 40;",
        "l == 1099511627776 && (int)l == 0",
    );
    holds("", "_Bool b = 256;", "b == 1 && !b == 0");
    holds(
        "",
        "int x = __VERIFIER_nondet_int();",
        "(x & 12) == ((x & 4) | (x & 8))",
    );
    holds(
        "",
        "int x = __VERIFIER_nondet_int();",
        "~x == -x - 1 && (x ^ -1) == ~x",
    );
    holds(
        "",
        "int x = __VERIFIER_nondet_int(); if (x < 0 || x > 1000) return 0;",
        "((x << 3) >> 2) == 2 * x",
    );
    holds(
        "",
        "int x = __VERIFIER_nondet_int(); if (x >= 0) return 0;",
        "(x & 1) == -(x % 2) && (x >> 31) == -1",
    );
    holds(
        "",
        "unsigned char x = __VERIFIER_nondet_uchar();",
        "x <= 255 && (x | 1) >= x",
    );
    holds(
        "",
        "int x = 2147483647; unsigned y = (unsigned)x + 1;",
        "y == 2147483648u",
    );
    holds(
        "",
        "int k = __VERIFIER_nondet_int(); if (k < 0 || k > 4) return 0;",
        "(1 << k) <= 16 && (1 << k) > k",
    );
}

#[test]
fn the_two_ways_of_integers_differ_where_they_say() {
    let overflow = "int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error();";
    check_mode("", overflow, "safe", IntMode::Unbounded);
    check_mode("", overflow, "unsafe", IntMode::Wrap);
    // An unsigned sum that leaves its type is reported.
    let wrap = "unsigned x = __VERIFIER_nondet_uint(); if (x + 1 < x) reach_error();";
    check_mode("", wrap, "wraps", IntMode::Unbounded);
    check_mode("", wrap, "unsafe", IntMode::Wrap);
    // So is one in an argument of a function that is summarised.
    let recursive = "int f(unsigned u, int n) { if (n <= 0) return u < 5; return f(u, n - 1); }";
    let passed = "unsigned x = __VERIFIER_nondet_uint(); if (x >= 5 && f(x + 1, 1)) reach_error();";
    check_mode(recursive, passed, "wraps", IntMode::Unbounded);
    check_mode(recursive, passed, "unsafe", IntMode::Wrap);
    // Differences are exact.
    let difference = "unsigned x = 3; if (x - 4 != 4294967295u) reach_error();";
    check_mode("", difference, "safe", IntMode::Unbounded);
}

#[test]
fn side_effects_happen_in_order() {
    holds("", "int i = 5; int j = i++ + 2;", "i == 6 && j == 7");
    holds("", "int i = 5; int j = --i;", "i == 4 && j == 4");
    holds("", "int i = 0; int j = i && ++i;", "i == 0 && j == 0");
    holds("", "int i = 1; int j = i || ++i;", "i == 1 && j == 1");
    holds("", "int i = 1, j = (i += 2, i * 2);", "i == 3 && j == 6");
    holds("", "int i = 1; int j = i ? i++ : i--;", "i == 2 && j == 1");
    holds(
        "",
        "int a = 1, b, c; b = c = a += 4;",
        "a == 5 && b == 5 && c == 5",
    );
    holds(
        "",
        "int x = 3; int y = ({ int t = x; x = 9; t * 2; });",
        "x == 9 && y == 6",
    );
    holds(
        "int n; int f(void) { return ++n; }",
        "int x = f() + 10 * f();",
        "n == 2 && x == 21",
    );
}

#[test]
fn control_flow() {
    holds(
        "",
        "int s = 0; for (int i = 0; i < 3; i++) { if (i == 1) continue; s += i; }",
        "s == 2",
    );
    holds("", "int i = 0; do { i++; } while (i < 3);", "i == 3");
    holds("", "int i = 7; while (1) { if (i-- < 5) break; }", "i == 3");
    let switch = "int z = 0, k = 2; switch (k) { case 0: z = 1; case 2: z += 2; case 3: z += 4; break; default: z = 9; }";
    holds("", switch, "z == 6");
    holds(
        "",
        "int z = 0; switch (5) { case 1 ... 4: z = 1; break; default: z = 2; }",
        "z == 2",
    );
    // A jump into a loop, and a loop without a single head.
    holds(
        "",
        "int i = 3; goto in; while (i < 10) { i += 2; in: i++; }",
        "i == 10",
    );
    let irreducible = "int i = 0; if (__VERIFIER_nondet_int()) goto b; a: i++; if (i > 4) goto end; b: i++; if (i <= 4) goto a; end: ;";
    check(
        "",
        &format!("{irreducible} if (i < 5 || i > 6) reach_error();"),
        "safe",
    );
    check("", "while (1) {} reach_error();", "safe");
    check("", "abort(); reach_error();", "safe");
    check(
        "",
        "int x = __VERIFIER_nondet_int(); if (x == 77) reach_error();",
        "unsafe",
    );
}

#[test]
fn functions() {
    let even = "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); } int odd(int n) { if (n == 0) return 0; return even(n - 1); }";
    holds(even, "int r = even(4);", "r == 1");
    check(
        even,
        "int n = __VERIFIER_nondet_int(); if (n >= 0 && even(n) > 1) reach_error();",
        "safe",
    );
    let count = "int g; void down(int n) { if (n <= 0) return; g++; down(n - 1); }";
    holds(count, "down(3);", "g == 3");
    check(
        "void f(int n) { if (n == 3) reach_error(); if (n < 10) f(n + 1); }",
        "f(0);",
        "unsafe",
    );
    check(
        "void f(int n) { if (n == 11) reach_error(); if (n < 10) f(n + 1); }",
        "f(0);",
        "safe",
    );
    holds(
        "int k(a, b) int a; char b; { return a * 2 + b; }",
        "int r = k(3, 4);",
        "r == 10",
    );
    holds(
        "int inc(int x) { return x + 1; } int dec(int x) { return x - 1; }",
        "int (*f)(int) = __VERIFIER_nondet_int() ? inc : dec; int r = f(1) * f(1);",
        "r == 4 || r == 0",
    );
    holds(
        "static int next(void) { static int n = 5; return n++; }",
        "next(); int r = next();",
        "r == 6",
    );
    holds(
        "struct P { int x, y; }; struct P mk(int a) { struct P p = { a, a + 1 }; return p; }",
        "struct P p = mk(4);",
        "p.x == 4 && p.y == 5",
    );
}

#[test]
fn memory() {
    holds("", "int a[3] = { 1, 2 };", "a[0] + a[1] == 3 && a[2] == 0");
    holds(
        "int g[5];",
        "int k = __VERIFIER_nondet_int(); if (k < 0 || k > 4) return 0; g[k] = 7;",
        "g[k] == 7 && (k == 0 || g[0] == 0)",
    );
    holds(
        "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }",
        "int x = 1, y = 2; swap(&x, &y);",
        "x == 2 && y == 1",
    );
    holds(
        "",
        "int a[4] = {0}; int *p = a; p++; *p = 3; p[1] = 4;",
        "a[1] == 3 && a[2] == 4 && p - a == 1",
    );
    holds("", "char *s = \"abc\";", "s[1] == 'b' && s[3] == 0");
    holds(
        "struct S { int a; struct { char b; int c[2]; } in; };",
        "struct S s = { 1, { 'x', { 2, 3 } } }; struct S t = s; t.in.c[1]++;",
        "s.in.c[1] == 3 && t.in.c[1] == 4 && t.in.b == 'x'",
    );
    holds(
        "struct S { int a, b; };",
        "struct S s = { .b = 4 }; struct S *p = &s; p->a += 2;",
        "s.a == 2 && s.b == 4",
    );
    let list = "struct L { int v; struct L *next; };";
    holds(
        list,
        "struct L *l = 0; for (int i = 0; i < 3; i++) { struct L *n = malloc(sizeof(struct L)); n->v = i; n->next = l; l = n; }",
        "l->v == 2 && l->next->v == 1 && l->next->next->next == 0",
    );
    holds(
        "",
        "int *p = malloc(sizeof(int)); int *q = malloc(sizeof(int)); *p = 1; *q = 2;",
        "*p == 1 && p != q && p != 0",
    );
    holds("", "int *p = calloc(4, sizeof(int));", "p[2] == 0");
    holds(
        "",
        "int m[2][3]; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) m[i][j] = 3 * i + j;",
        "m[1][2] == 5 && m[0][1] == 1",
    );
    // What is not initialised has any value of its type.
    check("", "int x; if (x == 12345) reach_error();", "unsafe");
    check("", "unsigned char x; if (x > 255) reach_error();", "safe");
    check("int g;", "if (g != 0) reach_error();", "safe");
    // A pointer has a meaning only where it points to something.
    check(
        "",
        "int x = 1; int *p = __VERIFIER_nondet_int() ? &x : 0; *p = 2; if (p == 0) reach_error();",
        "safe",
    );
}

#[test]
fn initial_values_of_aggregates() {
    holds(
        "",
        "int m[2][3] = {{1, 2, 3}, {4}}; struct { int c[2]; } s[2] = {{{7, 8}}};",
        "m[0][1] == 2 && m[1][0] == 4 && m[1][2] == 0 && s[0].c[1] == 8 && s[1].c[0] == 0",
    );
    holds(
        "",
        "char s[2][4] = { \"abc\", \"d\" }; struct { struct { int a, b; } in; int c[2]; } t = { .in.b = 1, .in.a = 2, .c = { 3 } };",
        "s[0][2] == 'c' && s[1][0] == 'd' && s[1][1] == 0 && t.in.a == 2 && t.in.b == 1 && t.c[0] == 3 && t.c[1] == 0",
    );
    // Nothing is left of a whole that another initial value replaces.
    check(
        "",
        "struct { int c[2]; } t[2] = { [0].c = { 1, 2 }, [0].c = { 3 } }; if (t[0].c[1] != 0) reach_error();",
        "safe",
    );
    let again = "int m[2][2] = { [1] = { 1, 2 }, [0] = { 3, 4 }, { 5 } }; char s[2][4] = { [1] = \"abc\", [0] = \"q\", \"z\" };";
    holds(
        "",
        again,
        "m[1][0] == 5 && m[1][1] == 0 && s[1][0] == 'z' && s[1][2] == 0",
    );
    // Compilers differ in what is left of `p`.
    let part = "struct P p = { 1, 2 }; struct Q { struct P p; int z; } q = { .p = p, .p.x = 9 }; if (q.p.y) reach_error();";
    check("struct P { int x, y; };", part, "unsupported");
}

/// Items go on behind what the designators before them name (C11, 6.7.9, 17 and 20).
#[test]
fn initial_values_go_on_behind_designators() {
    let before = "struct S { int a; struct { int b[3]; char c; } in; int d; }; \
                  struct A { int k; union { int a; unsigned b; }; struct { short x, y; }; int z; }; \
                  struct P { int x, y; }; struct Q { struct P p[2]; int z; };";
    for (body, condition) in [
        (
            "static struct S s = { .in.b[1] = 4, 5 }, t = { .in.b = { 1 }, 7, 8 };",
            "s.in.b[2] == 5 && s.in.c == 0 && s.d == 0 && t.in.c == 7 && t.d == 8",
        ),
        (
            "struct S s = { .in.b[0] = 1, 2, 3, 'c', 9, .a = 6 };",
            "s.in.b[2] == 3 && s.in.c == 'c' && s.d == 9 && s.a == 6",
        ),
        (
            "struct A s = { .x = 1, 2, 3 }, t = { .a = 5, 6, 7, 8 };",
            "s.y == 2 && s.z == 3 && t.a == 5 && t.x == 6 && t.y == 7 && t.z == 8",
        ),
        (
            "int a[6] = { [1 ... 3] = 7, 8 }; struct P p[4] = { [0 ... 2].x = 1, 5, { 3, 4 } };",
            "a[4] == 8 && a[5] == 0 && p[1].y == 0 && p[2].y == 5 && p[3].x == 3",
        ),
        (
            "struct Q q = { .p[1] = 6, 7, 8 };",
            "q.p[0].x == 0 && q.p[1].x == 6 && q.p[1].y == 7 && q.z == 8",
        ),
        (
            "struct P p = { 1, 2 }; struct { struct P p; int z; } q = { p, 3 };",
            "q.p.y == 2 && q.z == 3",
        ),
    ] {
        holds(before, body, condition);
    }
}

/// A text in braces is the value of an array without a length, also of one without a name.
#[test]
fn compound_literals_have_the_length_of_their_text() {
    holds(
        "",
        "const char *s = (char[]){ \"hi\" }, *t = (char[4]){ \"ab\" };",
        "s[1] == 'i' && s[2] == 0 && t[3] == 0 && sizeof((char[]){ \"hello\" }) == 6",
    );
}

#[test]
fn whole_objects_are_copied_and_filled() {
    let library = "extern void *memset(void *, int, unsigned long); extern void *memcpy(void *, const void *, unsigned long); \
                   struct S { int m; char c[3]; };";
    holds(
        library,
        "int a[5]; memset(a, 0, sizeof(a)); a[1] = 2; int b[5]; memcpy(b, a, sizeof(b));",
        "a[0] == 0 && b[1] == 2 && b[4] == 0",
    );
    holds(
        library,
        "struct S s, t, *p = &s; memset(&s, 0, sizeof(s)); p->c[2] = 'x'; memcpy(&t, p, sizeof(struct S));",
        "s.m == 0 && t.c[2] == 'x' && t.c[0] == 0",
    );
    holds(
        library,
        "char c[4]; memset(c, 'a', 4); c[3] = 0;",
        "c[0] == 'a' && c[2] == 97",
    );
    holds(
        library,
        "struct S s[2]; s[0].c[0] = s[1].c[0] = 'x'; memset(&s[0], 0, sizeof(s[0]));",
        "s[1].c[0] == 'x' && s[0].c[0] == 0",
    );
    check(
        library,
        "struct S s[2], *p = s; p[1].c[0] = 'x'; memset(&s[0], 0, sizeof(s[0])); if (s[1].c[0] != 'x') reach_error();",
        "safe",
    );
    check(
        library,
        "int a[5]; memset(a, 0, 8); if (a[0] == 0) reach_error();",
        "unsafe",
    );
}

#[test]
fn loops_without_bounds() {
    check_mode(
        "",
        "int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y += 2; } if (y != 2 * x) reach_error();",
        "safe",
        IntMode::Unbounded,
    );
    check_mode(
        "",
        "int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; if (n > 0 && i != n) reach_error();",
        "safe",
        IntMode::Unbounded,
    );
}

#[test]
fn what_is_not_supported_matters_where_it_is_reached() {
    check(
        "",
        "long double d = 1.0L; d = d * 2; if (d > 1) reach_error();",
        "unsupported",
    );
    check("", "if (0) { long double d = 1.0L; d = d * 2; } ", "safe");
    check("float unused(float x) { return x * 2; }", "", "safe");
    check(
        "union U { int i; unsigned char c[4]; };",
        "union U u; u.c[1] = 0; u.i = 1; int *p = &u.i; if (*p != 1) reach_error();",
        "unsupported",
    );
    check(
        "union U { int i; unsigned char c[4]; };",
        "union U u; u.i = 1; if (u.i != 1) reach_error();",
        "safe",
    );
    check(
        "",
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if ((x & y) == 5) reach_error();",
        "doubtful",
    );
    check(
        "",
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if ((x & y) == 5 && x < x) reach_error();",
        "safe",
    );
    check("", "__asm__(\"nop\"); reach_error();", "unsupported");
    check(
        "int f(int n) { int x = n; int *p = &x; if (n > 0) f(n - 1); return *p; }",
        "if (f(2) != 2) reach_error();",
        "unsupported",
    );
}
