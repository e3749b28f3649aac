//! Pointers from outside: what may be behind them makes runs, never proofs.

use super::support::{confirmed, read, solve_program};
use horn::cfront::IntMode;

/// What is found of the program as it is, of it with objects outside, and whether a run of the
/// latter is one of the machine's.
fn check(body: &str, plain: &str, with_objects: &str) {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void *malloc(unsigned long);\n\
         struct T {{ char tag; struct T *next; int value; }};\nextern struct T *outer(void); extern int *number(void);\n{body}\n"
    );
    let program = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let found = solve_program(&program, IntMode::Unbounded);
    assert_eq!(found.word(), plain, "{found:?}\n{text}");
    let extended = program.with_objects_outside();
    let found = solve_program(&extended, IntMode::Unbounded);
    assert_eq!(found.word(), with_objects, "{found:?}\n{text}");
    if let (Some(run), "unsafe") = (found.run(), with_objects) {
        // The harness is that of the program as it is.
        assert_ne!(confirmed(&program, run), Some(false), "{run:?}\n{text}");
    }
}

#[test]
fn runs_go_through_objects_outside() {
    // Results of functions, and what members of what they point to point to.
    check(
        "int main(void) { int *p = number(); if (*p == 7) reach_error(); }",
        "doubtful",
        "unsafe",
    );
    check(
        "int main(void) { struct T *p = outer(); if (p->next->next->value == -5 && p->tag == 3) reach_error(); }",
        "doubtful",
        "unsafe",
    );
    // What is written there is there.
    check(
        "int main(void) { struct T *p = outer(); p->value = 4; p->next->value = 5; if (p->value == 4 && p->next->tag == 'x') reach_error(); }",
        "doubtful",
        "unsafe",
    );
    // Variables without a value, and new memory.
    check(
        "int main(void) { int *p; if (*p == 7) reach_error(); }",
        "doubtful",
        "unsafe",
    );
    check(
        "int main(void) { struct T *s = malloc(sizeof(struct T)); if (s->tag == 2 && s->next->next->value == 9 && s->value == -1) reach_error(); }",
        "doubtful",
        "unsafe",
    );
    check(
        "int main(void) { struct T *s = (struct T *)malloc(sizeof(struct T)); if (s->next == 0 && s->value == 9) reach_error(); }",
        "unsafe",
        "unsafe",
    );
    // Memory that has the type that it is used with.
    check(
        "extern void *any(void); int main(void) { void *v = any(); struct T *s = v; if (s && s->value == 3) reach_error(); }",
        "doubtful",
        "unsafe",
    );
    check(
        "int main(void) { struct T *p = outer(); for (int i = 0; i < 3; i++) { if (p->next->tag == i) p->next->tag++; else return 0; } reach_error(); }",
        "doubtful",
        "unsafe",
    );
}

#[test]
fn objects_outside_prove_nothing() {
    // Two results may be the same, or one object may be in another: no run is found, and none is
    // excluded.
    check(
        "int main(void) { int *p = number(), *q = number(); *p = 1; *q = 2; if (*p == 2) reach_error(); }",
        "doubtful",
        "safe",
    );
    // Null has nothing behind it.
    check(
        "int main(void) { int *p = number(); if (!p && *p == 2) reach_error(); }",
        "doubtful",
        "safe",
    );
    // One object is no array.
    check(
        "int main(void) { int *p = number(); if (p[1] == 2) reach_error(); }",
        "doubtful",
        "safe",
    );
}

#[test]
fn what_is_behind_a_pointer_does_not_matter() {
    check(
        "int main(void) { struct T *p = outer(); int x = p->value; p->value = 3; if (x != x) reach_error(); }",
        "safe",
        "safe",
    );
}
