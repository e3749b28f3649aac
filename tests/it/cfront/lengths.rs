//! Arrays whose lengths are evaluated while the program runs: sizes, elements and bounds.

use super::properties::first_line;
use crate::tools::tool_found;

/// What stands before the functions of the programs.
const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

/// The verdict about a program, without the text between brackets.
fn verdict(functions: &str, body: &str, options: &[&str]) -> String {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let text = format!("{HEAD}{functions}\nint main(void) {{ {body} return 0; }}\n");
    let found = first_line(directory.path(), &text, options);
    found.split('(').next().unwrap_or_default().to_owned()
}

/// Sizes are those of when the declaration was passed; rows of arrays are found by their lengths.
#[test]
fn sizes_and_elements_are_those_of_the_declaration() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let rows = "int n = 3, m = 4; int a[n][m]; n = 100; m = 7; \
                for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = 10 * i + j; ";
    let at = "int at(int n, int m, int a[n][m], int i, int j) { return a[i][j]; }";
    for (functions, body, right) in [
        (
            "",
            "int n = 5; int a[n]; n = 7;",
            "sizeof a == 5 * sizeof(int)",
        ),
        (
            "",
            "int n = 5; int a[n]; n = 7;",
            "sizeof(a) / sizeof(a[0]) == 5",
        ),
        (
            "",
            "int n = 5; char a[n + 1][2];",
            "sizeof a == 12 && sizeof a[1] == 2",
        ),
        ("", "int n = 3;", "sizeof(int[n]) == 3 * sizeof(int)"),
        ("", "int n = 3;", "sizeof(int[2][n]) == 6 * sizeof(int)"),
        (
            "",
            "int n = 3; typedef char row[n]; n = 9; row a;",
            "sizeof a == 3",
        ),
        (
            "",
            "int n = 3; int a[n]; __typeof__(a) b; b[2] = 1;",
            "sizeof b == sizeof a",
        ),
        (
            "",
            rows,
            "a[2][1] == 21 && *(*(a + 1) + 2) == 12 && a[0][3] == 3",
        ),
        (
            "",
            rows,
            "sizeof a == 48 && sizeof a[0] == 16 && sizeof *a == 16",
        ),
        (
            "",
            "int n = 2; int a[3][n][2]; a[1][1][0] = 5; int *p = &a[0][0][0];",
            "p[6] == 5",
        ),
        (
            "",
            "int m = 4; int a[3][m]; int (*p)[m] = a; p++; a[1][2] = 8;",
            "(*p)[2] == 8 && p[0][2] == 8",
        ),
        (
            "",
            "int m = 4; int a[3][4]; int (*p)[m] = a; a[2][1] = 6;",
            "p[2][1] == 6",
        ),
        (
            at,
            "int a[3][4]; a[2][3] = 23; a[1][0] = 7;",
            "at(3, 4, a, 2, 3) == 23 && at(3, 4, a, 1, 0) == 7",
        ),
        (
            "int last(int n, int a[n]) { return a[n - 1]; }",
            "int k = __VERIFIER_nondet_int(); if (k < 1 || k > 9) return 0; int a[k]; a[k - 1] = 4;",
            "last(k, a) == 4",
        ),
        (
            "int size(int n) { int a[n]; if (n > 1) size(n - 1); return sizeof a / sizeof(int); }",
            "",
            "size(3) == 3",
        ),
    ] {
        let program = format!("{body} if (!({right})) reach_error();");
        assert_eq!(
            verdict(functions, &program, &[]),
            "TRUE",
            "{functions} {program}"
        );
        let program = format!("{body} if ({right}) reach_error();");
        assert_eq!(
            verdict(functions, &program, &[]),
            "FALSE",
            "{functions} {program}"
        );
    }
}

/// No element of an array of variable length is an element of another array.
#[test]
fn arrays_do_not_overlap() {
    let first = "int n = __VERIFIER_nondet_int(); if (n < 30 || n > 50) return 0; int a[n]; int b[50]; \
                 int *p = __VERIFIER_nondet_int() ? a : b; ";
    for (body, expected) in [
        (
            "for (int i = 0; i < 50; i++) b[i] = 0; \
             a[18] = a[19] = a[20] = a[21] = 1; *p = 0; \
             if (b[0] + b[1] + b[2] + b[3] + b[4] != 0) reach_error();",
            "TRUE",
        ),
        (
            "a[18] = a[19] = a[20] = a[21] = 1; \
             for (int i = 0; i < 50; i++) b[i] = 0; \
             *p = 0; if (a[20] == 1) reach_error();",
            "FALSE",
        ),
    ] {
        assert_eq!(
            verdict("", &format!("{first}{body}"), &[]),
            expected,
            "{body}"
        );
    }
}

/// No element of allocated memory is an element of other memory, also where values have more
/// scalars than bytes.
#[test]
fn allocations_do_not_overlap() {
    for ty in [
        "union { char a, b, c, d; }",
        "struct { unsigned char a : 2, b : 2, c : 2, d : 2; }",
    ] {
        let functions = format!(
            "void *malloc(unsigned long);\ntypedef {ty} T;\n\
             T *make(void) {{ T *p = malloc(4 * sizeof(T)); return p; }}"
        );
        let body = "T *t[2]; for (int i = 0; i < 2; i++) { t[i] = make(); if (!t[i]) return 0; } \
                    t[0][1].a = 1; for (int i = 0; i < 4; i++) t[1][i].a = 0; ";
        for (condition, expected) in [("==", "FALSE"), ("!=", "TRUE")] {
            let program = format!("{body} if (t[0][1].a {condition} 1) reach_error();");
            assert_eq!(verdict(&functions, &program, &[]), expected, "{ty}");
        }
    }
}

/// Accesses are in the bounds of arrays of variable length, by their names and by pointers.
#[test]
fn bounds_are_checked() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let length = "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0; int a[n]; ";
    let fill = "void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }";
    let rows = "void fill(int n, int m, int a[n][m]) { a[n - 1][m - 1] = 0; }";
    for (functions, body, expected) in [
        ("", "for (int i = 0; i < n; i++) a[i] = i;", "TRUE"),
        ("", "for (int i = 0; i <= n; i++) a[i] = i;", "FALSE"),
        ("", "a[-1] = 0;", "FALSE"),
        ("", "int *p = a + n; p--; *p = 1;", "TRUE"),
        ("", "int *p = a + n; *p = 1;", "FALSE"),
        ("", "n = 2000; a[n - 1001] = 0;", "FALSE"),
        (fill, "fill(a, n);", "TRUE"),
        (fill, "fill(a, n + 1);", "FALSE"),
        (rows, "int b[3][4]; fill(3, 4, b);", "TRUE"),
        (rows, "int b[3][4]; fill(4, 4, b);", "FALSE"),
        (rows, "int m = 2; int b[m][m]; fill(m, m, b);", "TRUE"),
        (rows, "int m = 2; int b[m][m]; fill(m, m + 1, b);", "FALSE"),
    ] {
        let program = format!("{length}{body}");
        let found = verdict(functions, &program, &["--check", "memsafety"]);
        assert_eq!(found, expected, "{functions} {program}");
    }
}

/// The last array of a structure has the elements that were allocated for it, in all the ways to
/// write it.
#[test]
fn last_members_have_the_elements_of_their_memory() {
    for length in ["", "0", "1"] {
        let functions = format!(
            "void *malloc(unsigned long);\nstruct S {{ int n; int d[{length}]; }};\n\
             int set(struct S *p, int at, int to) {{ p->d[at] = to; return p->d[at]; }}"
        );
        let body = "struct S *p = malloc(sizeof(struct S) + 5 * sizeof(int)), \
                    *q = malloc(sizeof(struct S) + 5 * sizeof(int)); if (!p || !q) return 0; \
                    set(p, 3, 7); set(q, 0, 1); q->n = 2; q->d[3] = 5; ";
        for (condition, expected) in [("==", "FALSE"), ("!=", "TRUE")] {
            let program = format!("{body} if (set(q, 4, 9) {condition} 9) reach_error();");
            assert_eq!(verdict(&functions, &program, &[]), expected, "{length}");
            let program = format!("{body} if (p->d[3] {condition} 7) reach_error();");
            assert_eq!(verdict(&functions, &program, &[]), expected, "{length}");
        }
    }
}

/// A structure cannot have a member of variable length, but as an extension that is not supported.
#[test]
fn members_of_variable_length_are_not_supported() {
    let body = "int n = 3; struct S { char b[n]; }; if (sizeof(struct S) != 3) reach_error();";
    assert_eq!(verdict("", body, &[]), "UNKNOWN");
    // Nor are members of a structure whose definition is not supported.
    let functions = "struct T { _Complex int z; int a; } t;";
    let body = "if (t.a) reach_error();";
    assert_eq!(verdict(functions, body, &[]), "UNKNOWN");
}
