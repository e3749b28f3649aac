//! Runs are runs: the program, compiled and given the inputs of the run, reaches the error.

use super::papers::broken_spacer_fig2;
use super::support::{Found, confirmed, read, solve_program, solve_text};
use horn::cfront::IntMode;

fn check(body: &str) {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned int __VERIFIER_nondet_uint(void);\n\
         extern unsigned char __VERIFIER_nondet_uchar(void);\nextern _Bool __VERIFIER_nondet_bool(void);\n\
         extern void __VERIFIER_assume(int);\nextern void reach_error(void);\n{body}\n"
    );
    for ints in [IntMode::Unbounded, IntMode::Wrap] {
        let found = solve_text(&text, ints);
        if found.lacks_solver() {
            continue;
        }
        let Found::Unsafe(run) = &found else {
            panic!("the error can be reached: {found:?}\n{text}");
        };
        assert_eq!(found.word(), "unsafe", "{found:?}\n{text}");
        if confirmed(&read(&text).expect("it was read before"), run) == Some(false) {
            panic!("no run of the machine: {run:?}\n{text}");
        }
    }
}

/// Of a loop that is not written out, a run has the first and the last iterations.
#[test]
fn runs_of_millions_of_steps_are_runs() {
    let text = |body: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
             static int step(int x) {{ return x + 7; }}\nint main(void) {{ {body} }}\n"
        )
    };
    let long = text(
        "unsigned n = __VERIFIER_nondet_int(), k = 0; int y = 0;
         while (k != n) { k++; if (y < 10000000) y = step(y); }
         if (y > 10000000 && k == 20000000u) reach_error();",
    );
    let found = solve_text(&long, IntMode::Unbounded);
    let Found::Unsafe(run) = &found else {
        panic!("the error can be reached: {found:?}");
    };
    assert!(!run.is_whole());
    assert_ne!(
        confirmed(&read(&long).expect("it was read"), run),
        Some(false)
    );
    let left_out: usize = run.steps.iter().map(|step| step.left_out).sum();
    let whole = left_out + run.steps.len();
    assert!((40_000_000..200_000_000).contains(&whole), "{whole}");
    // Each iteration takes an input, which the harness would have to give.
    let inputs = text(
        "int n = 0; while (n < 1000000 && __VERIFIER_nondet_int() != 7) n++;
         if (n == 500000) reach_error();",
    );
    let found = solve_text(&inputs, IntMode::Unbounded);
    let Found::Open(why) = &found else {
        panic!("{found:?}");
    };
    assert!(why.contains("inputs in a loop"), "{why}");
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
    // What has no value is an input, too: of a variable in several calls, of an array.
    check(
        "int any(void) { int x; return x; } int main(void) { int a = any(), b = any(); if (a == 3 && b == -4) reach_error(); }",
    );
    check(
        "int main(void) { int a[5]; unsigned char c, d; if (a[1] == 7 && a[3] == -7 && c == 200 && d < c) reach_error(); }",
    );
    // As is a variable that another program defines.
    check("extern int e; int main(void) { if (e == 6) reach_error(); }");
    check(
        "struct L { int v; struct L *n; }; int main(void) { struct L a, b; a.n = &b; b.v = __VERIFIER_nondet_int(); if (a.n->v == 9) reach_error(); }",
    );
}

#[test]
fn harnesses_fill_memory_that_the_program_has_not_written() {
    let before = "extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long); \
                  struct S { int a; char b; struct S *n; int d[3]; };\n";
    for body in [
        "int *p = malloc(sizeof(int)); if (*p == 7) reach_error();",
        "int *p = malloc(4 * sizeof(int)); if (p[2] == 7 && p[1] == 3) reach_error();",
        "struct S *p = malloc(sizeof *p); if (p->a == 7 && p->d[1] == 4) reach_error();",
        "struct S *p = malloc(2 * sizeof *p); if (p[1].b == 7 && p[0].d[2] == 4) reach_error();",
        "for (int i = 0; i < 3; i++) { int *p = malloc(sizeof(int)); if (*p == i + 5 && i == 2) reach_error(); }",
        "struct S *p = malloc(sizeof *p); p->n = malloc(sizeof *p); if (p->n->a == 6) reach_error();",
        "int n = __VERIFIER_nondet_int(); if (n < 3 || n > 9) return 0; int a[n]; if (a[2] == 9) reach_error();",
        "struct S s; if (s.a == 3 && s.d[2] == 5) reach_error();",
        "struct S s[2]; if (s[1].a == 3 && s[0].b == 5) reach_error();",
        "char b[4]; char *p = b; if (p[2] == 7 && p[3] == -7) reach_error();",
        "int a[2][3]; if (a[1][2] == 4 && a[0][0] == 5) reach_error();",
        "union { int i; char c; } u; if (u.i == 77) reach_error();",
        "struct { short h; struct { long l; char c; } in[2]; } s, *p = &s; if (p->in[1].c == 7 && p->h == 9) reach_error();",
        "long a[3], b[2], *p = __VERIFIER_nondet_int() ? a : b; if (p[1] == 5 && a[2] == 6) reach_error();",
    ] {
        check(&format!("{before}int main(void) {{ {body} return 0; }}"));
    }
    check("int main(int argc, char **argv) { if (argc == 3) reach_error(); return 0; }");
}

#[test]
fn the_broken_program_of_the_spacer_paper() {
    let text = broken_spacer_fig2();
    let found = solve_text(&text, IntMode::Unbounded);
    let Found::Unsafe(run) = &found else {
        panic!("the error can be reached: {found:?}");
    };
    assert_ne!(
        confirmed(&read(&text).expect("it was read before"), run),
        Some(false),
        "{run:?}"
    );
}

#[test]
fn every_kind_of_error_is_reached() {
    let inputs = "extern int __VERIFIER_nondet_int(void); extern void abort(void);\n";
    for body in [
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) { ERROR: return 1; } return 0; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) goto ERROR; return 0; ERROR: ; goto ERROR; }",
        "void __VERIFIER_error(void) {} int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) __VERIFIER_error(); }",
        "void reach_error() { abort(); } int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) { reach_error(); abort(); } }",
        "void assert(int); int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 3); }",
        "void assume(int); int main(void) { int x = __VERIFIER_nondet_int(); assume(x > 2); if (x < 4) { ERROR: ; } }",
    ] {
        let text = format!("{inputs}{body}\n");
        let program = read(&text).unwrap_or_else(|error| panic!("{error}"));
        let found = solve_program(&program, IntMode::Unbounded);
        let Found::Unsafe(run) = &found else {
            panic!("the error can be reached: {found:?}\n{text}");
        };
        assert_ne!(
            confirmed(&read(&text).expect("it was read before"), run),
            Some(false),
            "{text}"
        );
    }
}
