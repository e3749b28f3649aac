//! Where memory begins and ends: of flexible array members, of compound literals, of the program's
//! arguments, and at the end of the program.

use super::properties::{ADDRESS, DEREF, HEAD, check, first_line};

/// A structure whose last member is an array without a length has as many elements as the memory
/// that is allocated for it.
#[test]
fn flexible_array_members() {
    let f = "struct F { int n; int d[]; };";
    let sized = "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 100) return 0; \
                 struct F *f = malloc(sizeof *f + n * sizeof(int)); f->n = n;";
    let right = format!("{sized} for (int i = 0; i < n; i++) f->d[i] = i; free(f);");
    let wrong = format!("{sized} for (int i = 0; i <= n; i++) f->d[i] = i; free(f);");
    let table = [
        (
            f,
            "struct F *f = malloc(sizeof *f + 2 * sizeof(int)); f->d[1] = 1; free(f);",
            "TRUE",
        ),
        (
            f,
            "struct F *f = malloc(sizeof *f + 2 * sizeof(int)); f->d[2] = 1; free(f);",
            DEREF,
        ),
        (
            f,
            "struct F *f = malloc(sizeof *f); f->n = 1; free(f);",
            "TRUE",
        ),
        (
            f,
            "struct F *f = malloc(sizeof *f); f->d[0] = 1; free(f);",
            DEREF,
        ),
        (
            f,
            "struct F *f = malloc(sizeof *f + 12); int *p = f->d; p[2] = 1; free(f);",
            "TRUE",
        ),
        (
            f,
            "struct F *f = malloc(sizeof *f + 12); int *p = f->d; p[3] = 1; free(f);",
            DEREF,
        ),
        (
            "struct F { char n; char d[]; };",
            "struct F *f = malloc(sizeof *f + 3); f->d[2] = 1; free(f);",
            "TRUE",
        ),
        (
            "struct F { char n; char d[]; };",
            "struct F *f = malloc(sizeof *f + 3); f->d[3] = 1; free(f);",
            DEREF,
        ),
        // Elements begin before the structure ends.
        (
            "struct F { long long n; char c; char d[]; };",
            "struct F *f = malloc(sizeof *f); f->d[1] = 1; free(f);",
            "TRUE",
        ),
        (f, &*right, "TRUE"),
        (f, &*wrong, DEREF),
    ];
    check("memsafety", ADDRESS, &table);
}

/// A compound literal lives as long as the block that it stands in.
#[test]
fn compound_literals_end_with_their_blocks() {
    let table = [
        ("", "int *p = &(int){5}; return *p - 5;", "TRUE"),
        ("", "int *p; { p = &(int){5}; } return *p - 5;", DEREF),
        (
            "",
            "int *p = 0; if (1) p = &(int){5}; return *p - 5;",
            DEREF,
        ),
        (
            "",
            "int *p = 0; for (int i = 0; i < 2; i++) p = &(int){i}; return *p;",
            DEREF,
        ),
        (
            "int f(int *p) { return *p; }",
            "int s = 0; for (int i = 0; i < 3; i++) s += f(&(int){i}); return s - 3;",
            "TRUE",
        ),
        ("int *p = &(int){5};", "return *p - 5;", "TRUE"),
    ];
    check("memsafety", ADDRESS, &table);
}

/// What the program's arguments point to is not known.
#[test]
fn memory_of_arguments_is_not_judged() {
    for (body, expected) in [
        ("if (argc > 1) return argv[1][0];", "UNKNOWN"),
        ("if (argc > 1) return atoi(argv[1]);", "UNKNOWN"),
        ("int *p = 0; if (argc > 1) return *p;", "FALSE"),
        ("int a[2]; return argc > 1 && a[1] == argc;", "TRUE"),
    ] {
        let text = format!(
            "#include <stdlib.h>\nint main(int argc, char **argv) {{ {body} return 0; }}\n"
        );
        let directory = tempfile::tempdir().expect("a scratch directory");
        let found = first_line(directory.path(), &text, &["--check", "valid-deref"]);
        assert_eq!(found.split('(').next(), Some(expected), "{text}: {found}");
    }
}

/// A program that ends by a failing assertion, as by `abort`, frees nothing, and need not.
#[test]
fn memory_need_not_be_freed_before_an_abort() {
    for end in ["abort()", "assert(0)"] {
        let text = format!(
            "#include <assert.h>\n{HEAD}int main(void) {{ char *p = malloc(4);
             if (__VERIFIER_nondet_int() == 7) {end}; free(p); return 0; }}\n"
        );
        let directory = tempfile::tempdir().expect("a scratch directory");
        let options = ["--check", "memcleanup", "--no-confirm"];
        let found = first_line(directory.path(), &text, &options);
        assert_eq!(found, "TRUE", "{text}");
    }
}
