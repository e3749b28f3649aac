//! Properties of SV-COMP: a program that has each property and one that has not. Programs without
//! inputs are executed under the compiler's sanitizers as well, which must agree.

use crate::tools::tool_found;
use std::path::Path;
use std::process::{Command, Output};

/// What stands before each program.
pub(crate) const HEAD: &str = "#include <stdlib.h>\n#include <string.h>\n\
                    extern int __VERIFIER_nondet_int(void);\nextern long __VERIFIER_nondet_long(void);\n\
                    struct N { int v; struct N *next; };\nstruct S { int a[3]; int b; };\nint *g;\n";

/// The first line that is printed for a program, with these options.
pub(crate) fn first_line(directory: &Path, text: &str, options: &[&str]) -> String {
    let file = directory.join("p.c");
    std::fs::write(&file, text).expect("the directory can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_c2horn"))
        .args(["--verify", "--lp64", "--timeout", "60"])
        .args(options)
        .arg(&file)
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let first = text.lines().next().unwrap_or_default().to_owned();
    format!("{first}{}", if first.is_empty() { "nothing" } else { "" })
}

/// Does a sanitizer report something about the program without inputs?
fn is_reported(directory: &Path, options: &[&str]) -> bool {
    let path = |name: &str| directory.join(name);
    let compiled = Command::new("cc")
        .args(["-w", "-O0", "-fno-sanitize-recover=all"])
        .args(options)
        .args([Path::new("-o"), &path("program"), &path("p.c")])
        .output()
        .expect("the compiler was found");
    assert!(compiled.status.success(), "{compiled:?}");
    let ran: Output = Command::new(path("program"))
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=1:detect_stack_use_after_return=1",
        )
        .env("LSAN_OPTIONS", "use_stacks=0:use_registers=0")
        .output()
        .expect("it was compiled");
    let text = String::from_utf8_lossy(&ran.stderr).into_owned();
    ["runtime error", "Sanitizer"]
        .iter()
        .any(|word| text.contains(word))
}

/// Checks the verdicts about the bodies of `main` with what stands before it.
pub(crate) fn check(property: &str, sanitizer: &str, table: &[(&str, &str, &str)]) {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    for (before, body, expected) in table {
        let text = format!("{HEAD}{before}\nint main(void) {{ {body} return 0; }}\n");
        let directory = tempfile::tempdir().expect("a scratch directory");
        let found = first_line(directory.path(), &text, &["--check", property]);
        assert_eq!(found, *expected, "{property}: {text}");
        if !body.contains("nondet") && !before.contains("nondet") {
            let reported = is_reported(directory.path(), &[sanitizer]);
            assert_eq!(reported, *expected != "TRUE", "{property}: {text}");
        }
    }
}

/// The verdict about the body of `main`, without the text between brackets.
fn verdict(body: &str, options: &[&str]) -> String {
    let text = format!("#include <stdio.h>\n{HEAD}int main(void) {{ {body} return 0; }}\n");
    let directory = tempfile::tempdir().expect("a scratch directory");
    let found = first_line(directory.path(), &text, options);
    found.split('(').next().unwrap_or_default().to_owned()
}

/// Which memory a function reads and writes that has no model is not known: where it gets a pointer
/// to elements, memory safety is not said to hold.
#[test]
fn functions_without_models_are_not_said_to_be_safe() {
    for (body, expected) in [
        ("char b[3]; fread(b, 1, 10, stdin);", "UNKNOWN"),
        ("char b[3] = {'a', 'b', 'c'}; printf(\"%s\", b);", "UNKNOWN"),
        ("char b[3] = {'a', 'b', 'c'}; puts(b);", "UNKNOWN"),
        (
            "char *p = malloc(3); if (!p) return 0; p[0] = 0; free(p); fputs(p, stdout);",
            "UNKNOWN",
        ),
        ("int *p = 0; printf(\"%n\", p);", "UNKNOWN"),
        ("int x; fread(&x, 1, 10, stdin);", "UNKNOWN"),
        ("fwrite(\"abc\", 1, 10, stdout);", "UNKNOWN"),
        (
            "int b = 3; printf(\"%d %s\", b, \"x\"); puts(\"y\"); fflush(stdout);",
            "TRUE",
        ),
    ] {
        assert_eq!(verdict(body, &["--check", "memsafety"]), expected, "{body}");
    }
}

/// A variable of an earlier call, or of an earlier round of a loop, is not the present one, which
/// may lie at the same address.
#[test]
fn pointers_to_variables_of_earlier_calls() {
    let before = "int *h; struct N *list; void k(int n) { int x = n;";
    for (functions, body, expected) in [
        ("if (n == 0) h = &x; else *h = 1; }", "k(0); k(1);", "FALSE"),
        ("if (n == 0) h = &x; else x = *h; }", "k(0); k(1);", "FALSE"),
        ("h = &x; *h = 1; }", "k(0); k(1);", "TRUE"),
        (
            "if (n == 0) h = &n; else h = &x; *h = 1; }",
            "k(0); k(1);",
            "TRUE",
        ),
        (
            "if (n == 0) g = &x; if (n == 1) g = 0; }",
            "k(0); k(1); if (g) *g = 1;",
            "TRUE",
        ),
        // The pointer is an argument.
        (
            "if (n == 0) h = &x; } void l(int *q, int n) { int x = n; if (q) *q = 1; h = &x; }",
            "l(0, 0); l(h, 1);",
            "FALSE",
        ),
        // A member of a variable is changed as a variable is.
        (
            "struct N m; m.v = n; m.next = 0; if (n == 0) s.next = &m; else s.next->v = 1; }",
            "k(0); k(1);",
            "FALSE",
        ),
        // What allocated memory holds is not changed.
        (
            "struct N m; m.v = n; m.next = 0; if (n == 0) list->next = &m; \
             else list->next->v = 1; }",
            "list = malloc(sizeof *list); if (!list) return 0; k(0); k(1); free(list);",
            "UNKNOWN",
        ),
        (
            "struct N m; m.v = n; m.next = 0; list->next = &m; list->next->v = 1; }",
            "list = malloc(sizeof *list); if (!list) return 0; k(0); free(list);",
            "TRUE",
        ),
        (
            "}",
            "int *p = 0; for (int i = 0; i < 3; i++) { int x = i; p = &x; *p = 1; }",
            "TRUE",
        ),
        // No sanitizer sees that the variable is another one.
        (
            "}",
            "int *p = 0; for (int i = 0; i < 3; i++) { int x = i; if (i) *p = 1; else p = &x; }",
            "UNKNOWN",
        ),
    ] {
        let text = format!(
            "{HEAD}struct N s; {before} {functions}\nint main(void) {{ {body} return 0; }}\n"
        );
        let directory = tempfile::tempdir().expect("a scratch directory");
        let found = first_line(directory.path(), &text, &["--check", "valid-deref"]);
        assert_eq!(found.split('(').next(), Some(expected), "{text}: {found}");
    }
}

/// Functions of the library compute as the program would: without a defined result where an
/// operation has none. No sanitizer sees this.
#[test]
fn operations_within_the_library_are_those_of_the_program() {
    let x = "int x = __VERIFIER_nondet_int();";
    for (property, body, expected) in [
        ("overflow", "return abs(x) == 0;", "UNKNOWN"),
        ("overflow", "return labs(x - 1L) == 0;", "TRUE"),
        (
            "overflow",
            "if (x < -5) return 0; return abs(x) == 0;",
            "TRUE",
        ),
        ("division", "return div(5, x).quot;", "UNKNOWN"),
        (
            "division",
            "if (x <= 0) return 0; return div(5, x).quot;",
            "TRUE",
        ),
    ] {
        let body = format!("{x} {body}");
        assert_eq!(verdict(&body, &["--check", property]), expected, "{body}");
    }
}

/// What the standard says of streams, random numbers and conversions beyond single results is not
/// taken for any value.
#[test]
fn results_that_depend_on_each_other_are_no_inputs() {
    for (body, expected) in [
        (
            "srand(1); int a = rand(); srand(1); if (a != rand()) abort();",
            "UNKNOWN",
        ),
        ("srand(5); if (rand() == 3) abort();", "FALSE"),
        ("if (rand() < 0) abort();", "TRUE"),
        (
            "int c = getchar(); if (c == EOF) return 0; ungetc(c, stdin); if (getchar() != c) abort();",
            "UNKNOWN",
        ),
        ("if (getchar() == 'a') abort();", "FALSE"),
        (
            "char b[4]; if (__builtin_object_size(b, 0) != 4) abort();",
            "UNKNOWN",
        ),
    ] {
        let body = body.replace("abort()", "reach_error()");
        let text = format!("extern void reach_error(void); {body}");
        for options in [&[][..], &["--no-confirm"]] {
            assert_eq!(verdict(&text, options), expected, "{body}");
        }
    }
}

pub(crate) const ADDRESS: &str = "-fsanitize=address,bounds,null";
pub(crate) const DEREF: &str = "FALSE(valid-deref)";
const FREE: &str = "FALSE(valid-free)";

#[test]
fn arrays_and_pointers_to_variables() {
    let walk = "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) { p[i] = i; s += p[i]; } return s; }";
    let table = [
        ("", "int a[5]; a[4] = 1;", "TRUE"),
        ("", "int a[5]; a[5] = 1;", DEREF),
        (
            "",
            "int a[5]; for (int i = 0; i < 5; i++) a[i] = i;",
            "TRUE",
        ),
        (
            "",
            "int a[5]; for (int i = 0; i <= 5; i++) a[i] = i;",
            DEREF,
        ),
        (
            "",
            "int a[5], i = __VERIFIER_nondet_int(); if (i >= 0 && i < 5) a[i] = 1;",
            "TRUE",
        ),
        (
            "",
            "int a[5], i = __VERIFIER_nondet_int(); if (i < 5) a[i] = 1;",
            DEREF,
        ),
        (
            "",
            "int x = 2, *p = 0; if (x == 2) p = &x; return *p - 2;",
            "TRUE",
        ),
        (
            "",
            "int x = 2, *p = 0; if (x != 2) p = &x; return *p;",
            DEREF,
        ),
        (
            "",
            "int a[10]; for (int *p = a; p < a + 10; p++) *p = 1;",
            "TRUE",
        ),
        (
            "",
            "int a[10]; for (int *p = a; p <= a + 10; p++) *p = 1;",
            DEREF,
        ),
        (walk, "int a[3]; f(a, 3);", "TRUE"),
        (walk, "int a[3]; f(a, 4);", DEREF),
        (
            "void f(struct S *p) { for (int i = 0; i < 3; i++) p->a[i] = i; }",
            "struct S s; f(&s);",
            "TRUE",
        ),
        (
            "int *f(void) { int x = 3; int *q = &x; return q; }",
            "int *p = f(); return *p;",
            DEREF,
        ),
        (
            "void f(int *q) { *q = 4; }",
            "int x; f(&x); return x - 4;",
            "TRUE",
        ),
        ("", "int *p; { int x = 1; p = &x; } return *p;", DEREF),
        (
            "",
            "int *p = 0; while (1) { int x = 2; p = &x; break; } return *p;",
            DEREF,
        ),
        (
            "void f(int *q) { *q = 3; }",
            "for (int i = 0; i < 3; i++) { int x; f(&x); if (x == 4) continue; if (x == 5) break; f(&x); }",
            "TRUE",
        ),
        ("", "char s[] = \"abc\", *p = s; p[1] = 'x';", "TRUE"),
        ("", "struct S s; s.a[2] = 1;", "TRUE"),
        ("", "struct S s; s.a[3] = 1;", DEREF),
        (
            "",
            "char b[6]; strcpy(b, \"hello\"); return b[0] == 0;",
            "TRUE",
        ),
        (
            "",
            "char b[4]; strcpy(b, \"hello\"); return b[0] == 0;",
            DEREF,
        ),
    ];
    check("memsafety", ADDRESS, &table);
}

#[test]
fn allocated_memory() {
    let size = "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0; int *p = malloc(n * sizeof(int));";
    let fill = format!("{size} for (int i = 0; i < n; i++) p[i] = i; free(p);");
    let beyond = format!("{size} for (int i = 0; i <= n; i++) p[i] = i; free(p);");
    let list = "struct N *h = 0; for (int i = 0; i < __VERIFIER_nondet_int(); i++) { \
                struct N *x = malloc(sizeof *x); x->next = h; h = x; }";
    let freed = format!("{list} while (h) {{ free(h); h = h->next; }}");
    let table = [
        ("", "int *p = malloc(sizeof *p); *p = 3; free(p);", "TRUE"),
        (
            "",
            "int *p = malloc(sizeof *p); *p = 3; free(p); return *p;",
            DEREF,
        ),
        ("", "int *p = malloc(sizeof *p); free(p); free(p);", FREE),
        ("", "int x, *p = &x; free(p);", FREE),
        ("", "int *p = malloc(4 * sizeof *p); p++; free(p);", FREE),
        ("", "free(0);", "TRUE"),
        (
            "",
            "int *p = malloc(sizeof *p); p = 0;",
            "FALSE(valid-memtrack)",
        ),
        ("", "g = malloc(sizeof *g);", "TRUE"),
        (
            "",
            "int *p = calloc(3, sizeof *p); p[2] = p[1]; free(p);",
            "TRUE",
        ),
        (
            "",
            "int *p = calloc(3, sizeof *p); p[3] = p[1]; free(p);",
            DEREF,
        ),
        (
            "",
            "int *p = malloc(8); p[0] = 1; p = realloc(p, 16); p[3] = 5; free(p);",
            "TRUE",
        ),
        (
            "",
            "int *p = malloc(8), *q = realloc(p, 16); q[3] = p[0]; free(q);",
            DEREF,
        ),
        ("", &fill, "TRUE"),
        ("", &beyond, DEREF),
        ("", &freed, DEREF),
    ];
    check("memsafety", ADDRESS, &table);
}

#[test]
fn memory_at_the_end() {
    let left = "FALSE(valid-memcleanup)";
    let table = [
        ("", "g = malloc(sizeof *g); free(g);", "TRUE"),
        ("", "g = malloc(__VERIFIER_nondet_int());", left),
        (
            "",
            "g = malloc(4); if (__VERIFIER_nondet_int()) exit(0); free(g);",
            left,
        ),
        (
            "",
            "for (int i = 0; i < __VERIFIER_nondet_int(); i++) free(malloc(4));",
            "TRUE",
        ),
    ];
    check("memcleanup", ADDRESS, &table);
}

#[test]
fn signed_operations() {
    let bad = "FALSE(no-overflow)";
    let table = [
        ("", "int x = __VERIFIER_nondet_int(); x = x + 1;", bad),
        (
            "",
            "int x = __VERIFIER_nondet_int(); if (x < 2147483647) x = x + 1;",
            "TRUE",
        ),
        (
            "",
            "__VERIFIER_nondet_int(); int x = 2147483647 + 1; return x == 0;",
            bad,
        ),
        ("", "int x = 1; while (x > 0) x = x * 2;", bad),
        (
            "",
            "unsigned x = 1; while (x > 0) x = x * 2; int y = (int)(x - 1); return y == 0;",
            "TRUE",
        ),
        (
            "",
            "int x = __VERIFIER_nondet_int(); if (x <= 0) x = -x;",
            bad,
        ),
        (
            "",
            "int x = __VERIFIER_nondet_int(); return x + 1 > x;",
            bad,
        ),
        (
            "",
            "int x = __VERIFIER_nondet_int(); if (x > 0) x = -x;",
            "TRUE",
        ),
        (
            "",
            "int x = __VERIFIER_nondet_int(), y = -1; if (x < 0) x = x / y;",
            bad,
        ),
        (
            "",
            "int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 32) x = 1 << x;",
            bad,
        ),
        (
            "",
            "int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 31) x = 1 << x;",
            "TRUE",
        ),
        (
            "",
            "long x = __VERIFIER_nondet_long(), y = __VERIFIER_nondet_long(); x = x * y;",
            bad,
        ),
        (
            "",
            "char c = 127; c++; short s = 32767; s += 1; return c + s == 0;",
            "TRUE",
        ),
        (
            "",
            "int x = -1, y = 1; for (int i = 0; i < 2; i++) y = y << x;",
            bad,
        ),
        (
            "",
            "long x = 0, y = 3037000500; x = y * x; y = y * y; return x == y;",
            bad,
        ),
        (
            "",
            "long x = 0, y = 3037000499; x = y * x; y = y * y; return x == y;",
            "TRUE",
        ),
        ("", "int x = 46341; x = x * x; return x == 0;", bad),
        ("", "int x = 46340; x = x * x; return x == 0;", "TRUE"),
    ];
    check(
        "overflow",
        "-fsanitize=signed-integer-overflow,shift",
        &table,
    );
    let table = [
        (
            "",
            "int x = __VERIFIER_nondet_int(); return 5 / x;",
            "FALSE(no-division-by-zero)",
        ),
        (
            "",
            "int x = __VERIFIER_nondet_int(); return x && 5 % x;",
            "TRUE",
        ),
        (
            "",
            "int x = 0; for (int i = 0; i < 3; i++) x += 5 % (3 - i); return x == 0;",
            "TRUE",
        ),
    ];
    check("division", "-fsanitize=integer-divide-by-zero", &table);
}

#[test]
fn operations_without_results() {
    let bad = "FALSE(no-undefined-result)";
    let table = [
        (
            "",
            "int n = __VERIFIER_nondet_int(); return (1u << n) == 1;",
            bad,
        ),
        (
            "",
            "int n = __VERIFIER_nondet_int(); return (1u << (n & 31)) == 1;",
            "TRUE",
        ),
        (
            "extern unsigned char __VERIFIER_nondet_uchar(void);",
            "unsigned char n = __VERIFIER_nondet_uchar(); return (-1L >> (n >> 2)) == 1;",
            "TRUE",
        ),
        (
            "extern unsigned char __VERIFIER_nondet_uchar(void);",
            "unsigned char n = __VERIFIER_nondet_uchar(); return (-1L >> (n >> 1)) == 1;",
            bad,
        ),
        (
            "extern double __VERIFIER_nondet_double(void);",
            "double x = __VERIFIER_nondet_double(); return (int) x;",
            bad,
        ),
        (
            "extern double __VERIFIER_nondet_double(void);",
            "double x = __VERIFIER_nondet_double(); return x == x && (int) x;",
            bad,
        ),
        (
            "extern double __VERIFIER_nondet_double(void);",
            "double x = __VERIFIER_nondet_double(); return x > -2147483649.0 && x < 2147483648.0 && (int) x;",
            "TRUE",
        ),
        (
            "extern double __VERIFIER_nondet_double(void);",
            "double x = __VERIFIER_nondet_double(); return x > -2147483649.0 && x <= 2147483648.0 && (int) x;",
            bad,
        ),
        (
            "extern float __VERIFIER_nondet_float(void);",
            "float x = __VERIFIER_nondet_float(); return x > -1.0f && x < 256.0f && (unsigned char) x;",
            "TRUE",
        ),
        (
            "extern float __VERIFIER_nondet_float(void);",
            "float x = __VERIFIER_nondet_float(); return x >= -1.0f && x < 256.0f && (unsigned char) x;",
            bad,
        ),
        (
            "extern float __VERIFIER_nondet_float(void);",
            "float x = __VERIFIER_nondet_float(); return (_Bool) x;",
            "TRUE",
        ),
    ];
    check(
        "result",
        "-fsanitize=shift-exponent,float-cast-overflow",
        &table,
    );
}

/// A proof says in a note which undefined behaviour it assumes not to happen.
#[test]
fn proofs_say_what_they_assume() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let file = directory.path().join("p.c");
    for (body, note) in [
        ("int y = 5 / n;", "a division by zero"),
        ("int y = n && 5 / n;", ""),
        ("unsigned y = 1u << n;", "a shift by an impossible amount"),
        ("unsigned y = 1u << (n & 31);", ""),
        (
            "int y = (int) (n * 2.0);",
            "a number is converted to a type",
        ),
        ("int y = (int) (n / 2.0);", ""),
        (
            "int a[4]; a[n] = 1; int y = a[n];",
            "an index is out of the bounds",
        ),
        (
            "int i = 1; i = i++ + 1; int y = i;",
            "`i` is changed twice, and C leaves open which is first",
        ),
        ("int i = 1; int y = (i++, i++);", ""),
    ] {
        let start = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);";
        let main =
            format!("int n = __VERIFIER_nondet_int(); {body} if (n != n || y != y) reach_error();");
        std::fs::write(
            &file,
            format!("{start}\nint main(void) {{ {main} return 0; }}\n"),
        )
        .expect("the directory can be written");
        let output = Command::new(env!("CARGO_BIN_EXE_c2horn"))
            .args(["--verify", "--lp64", "--timeout", "60"])
            .arg(&file)
            .output()
            .expect("the program runs");
        assert_eq!(output.stdout, b"TRUE\n", "{body}");
        let said = String::from_utf8_lossy(&output.stderr);
        let is_told = said.contains("TRUE assumes that there is no undefined behaviour");
        assert_eq!(is_told, !note.is_empty(), "{body}: {said}");
        assert!(said.contains(note), "{body}: {said}");
    }
}

#[test]
fn property_files_say_what_is_asked() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let file = directory.path().join("p.prp");
    let text = "int main(void) { int x = 2147483647 + 1; int a[2]; a[2] = x; return 0; }\n";
    for (property, expected) in [
        ("CHECK( init(main()), LTL(G valid-deref) )", DEREF),
        (
            "CHECK( init(main()), LTL(G ! overflow) )",
            "FALSE(no-overflow)",
        ),
        (
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-memtrack) )",
            "TRUE",
        ),
        (
            "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            "TRUE",
        ),
    ] {
        std::fs::write(&file, property).expect("the directory can be written");
        let path = file.display().to_string();
        let found = first_line(directory.path(), text, &["--property", &path]);
        assert_eq!(found, expected, "{property}");
    }
}

#[test]
fn programs_end_or_do_not() {
    let halve = "int f(int n) { int k = 0; while (n > 1) { n /= 2; k++; } return k; }";
    let forever = "FALSE(termination)";
    let (x, y) = (
        "int x = __VERIFIER_nondet_int();",
        "int y = __VERIFIER_nondet_int();",
    );
    let nested = format!("{x} for (int i = 0; i < x; i++) for (int j = 0; j < i; j++);");
    let lexicographic = format!(
        "{x} {y} int z = __VERIFIER_nondet_int(); while (x > 0 && y > 0) {{ \
         if (__VERIFIER_nondet_int()) {{ x--; y = z; }} else y--; }}"
    );
    let sum = format!(
        "{x} {y} while (x > 0 && y > 0) {{ if (__VERIFIER_nondet_int()) {{ x--; }} else {{ y--; }} }}"
    );
    let divisor = format!(
        "{x} {y} if (x <= 0 || y <= 0) return 0; while (x != y) {{ if (x > y) x -= y; else y -= x; }}"
    );
    let stays = format!("{x} while (x != 0) {{ if (x < 0) x = x + 1; }}");
    let table = [
        (
            "",
            "int s = 0; for (int i = 0; i < 100; i++) s += i;",
            "TRUE",
        ),
        (
            "",
            "unsigned n = __VERIFIER_nondet_int(); while (n) n >>= 1;",
            "TRUE",
        ),
        ("", &nested, "TRUE"),
        ("", &lexicographic, "TRUE"),
        ("", &sum, "TRUE"),
        ("", &divisor, "TRUE"),
        (
            halve,
            "for (int i = 0; i < 20; i++) f(__VERIFIER_nondet_int());",
            "TRUE",
        ),
        (
            "",
            "int a[10]; for (int *p = a; p != a + 10; p++) *p = 1;",
            "TRUE",
        ),
        ("", "while (1);", forever),
        ("", "int i = 0; for (;;) i = 1 - i;", forever),
        ("", &stays, forever),
        // No round leads back to a state that was there before: a set of states is closed.
        ("", "unsigned x = 0; while (x != 3) x += 2;", forever),
        ("", "unsigned i; for (i = 10; i >= 0; i--);", forever),
        ("", "while (__VERIFIER_nondet_int() != 7);", forever),
        (
            "int f(int x) { while (x > 5) x = x; return x; }",
            "f(__VERIFIER_nondet_int());",
            forever,
        ),
    ];
    for (before, body, expected) in table {
        let text = format!("{HEAD}{before}\nint main(void) {{ {body} return 0; }}\n");
        let directory = tempfile::tempdir().expect("a scratch directory");
        let options = ["--check", "termination"];
        let found = first_line(directory.path(), &text, &options);
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn recursions_end() {
    let fib = "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }";
    let ackermann = "int a(int m, int n) { if (m <= 0) return n + 1; if (n <= 0) return a(m - 1, 1); \
        return a(m - 1, a(m, n - 1)); }";
    let even = "int odd(unsigned); int even(unsigned n) { return n == 0 || odd(n - 1); } \
        int odd(unsigned n) { return n != 0 && even(n - 1); }";
    let range = "int sum(int from, int to) { return from >= to ? 0 : from + sum(from + 1, to); }";
    let search = "int find(const int *a, int low, int high, int x) { if (low > high) return -1; \
        int middle = low + (high - low) / 2; if (a[middle] == x) return middle; \
        if (a[middle] < x) return find(a, middle + 1, high, x); return find(a, low, middle - 1, x); }";
    let looping = "int walk(int n) { int s = 0; if (n <= 0) return 0; \
        for (int i = 0; i < n; i++) s += walk(n - 1 - i); return s; }";
    let narrow = "int f(int); int g(unsigned char); int f(int x) { return x <= 0 ? 0 : g(-1); } \
        int g(unsigned char c) { return f(c - 1); }";
    let upwards = "int up(int n) { return n == 100 ? 0 : up(n + 1); }";
    for (before, body, expected) in [
        (fib, "fib(n);", "TRUE"),
        (ackermann, "a(n, 3);", "TRUE"),
        (even, "even(n);", "TRUE"),
        (range, "sum(n, 50);", "TRUE"),
        (
            search,
            "int a[8] = {1}; if (n > 0 && n < 8) find(a, 0, n, 3);",
            "TRUE",
        ),
        (looping, "walk(n);", "TRUE"),
        (upwards, "if (n < 50) up(n);", "TRUE"),
        (
            narrow,
            "f(5);",
            "UNKNOWN(termination: FILE:2: it is not known whether the recursion of `f` ends)",
        ),
        (
            upwards,
            "up(n);",
            "UNKNOWN(termination: FILE:2: it is not known whether the recursion of `up` ends)",
        ),
    ] {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\n{before}\nint main(void) {{ \
             int n = __VERIFIER_nondet_int(); {body} return 0; }}\n"
        );
        let directory = tempfile::tempdir().expect("a scratch directory");
        let found = first_line(directory.path(), &text, &["--check", "termination"]);
        let expected = expected.split("FILE").last().unwrap_or(expected);
        assert!(found.ends_with(expected), "{text}\n{found}");
    }
}

#[test]
fn a_proof_says_what_it_assumes() {
    for (body, expected) in [
        ("int a[5]; a[4] = 1;", ""),
        (
            "int a[5]; a[5] = 1;",
            "an index is out of the bounds of `a`",
        ),
        ("int *p = 0; return *p;", "a null pointer is used"),
        (
            "int x = __VERIFIER_nondet_int(); return 5 / x;",
            "a division by zero",
        ),
        (
            "int a[3]; for (int i = 0; i < 3; i++) a[i] = 6 / (i + 1);",
            "",
        ),
    ] {
        let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
        let directory = tempfile::tempdir().expect("a scratch directory");
        let file = directory.path().join("p.c");
        std::fs::write(&file, text).expect("the directory can be written");
        let output = Command::new(env!("CARGO_BIN_EXE_c2horn"))
            .args(["--verify", "--lp64"])
            .arg(&file)
            .output()
            .expect("the program runs");
        let notes = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.stdout.starts_with(b"TRUE\n"), "{body}: {output:?}");
        assert!(notes.contains(expected), "{body}: {notes}");
        assert_eq!(notes.is_empty(), expected.is_empty(), "{body}: {notes}");
    }
}

#[test]
fn what_is_left_open_is_named() {
    let list = "struct N *h = 0; for (int i = 0; i < 2; i++) { struct N *x = malloc(sizeof *x); \
                x->next = h; h = x; } while (h) { struct N *t = h->next; free(h); h = t; }";
    // Memory that a run without end loses is not seen.
    let endless = "char *p = malloc(1); while (__VERIFIER_nondet_int()) ; free(p);";
    for (body, expected) in [(list, "TRUE"), (endless, "UNKNOWN(valid-memtrack: ")] {
        let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
        let directory = tempfile::tempdir().expect("a scratch directory");
        let options = ["--check", "valid-free,valid-memtrack"];
        let found = first_line(directory.path(), &text, &options);
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn systems_of_properties_are_printed() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let file = directory.path().join("p.c");
    std::fs::write(&file, "int main(void) { int x; return x + 1; }\n").expect("it can be written");
    for (property, expected) in [("overflow", Some(0)), ("termination", Some(2))] {
        let output = Command::new(env!("CARGO_BIN_EXE_c2horn"))
            .args(["--check", property])
            .arg(&file)
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), expected, "{output:?}");
        let is_system = String::from_utf8_lossy(&output.stdout).contains("(check-sat)");
        assert_eq!(is_system, expected == Some(0), "{output:?}");
    }
}

/// The first line of the validation of a witness.
fn validity(directory: &Path, witness: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_c2horn"))
        .args(["--timeout", "60", "--validate"])
        .args([witness, &directory.join("p.c")])
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().next().unwrap_or(&errors).to_owned()
}

#[test]
fn witnesses_of_violations_are_confirmed() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let access = "int a[4];\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
         if (n < 0 || n > 4)\n    return 0;\n  a[0] = 1;\n  return a[n];\n}\n";
    let overflow = "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
         if (n < 5)\n    return 0;\n  return n + 2147483640;\n}\n";
    let freed = "void *malloc(unsigned long); void free(void *);\nint main(void) {\n  \
         char *p = malloc(4);\n  if (__VERIFIER_nondet_int() == 3)\n    free(p);\n  free(p);\n  return 0;\n}\n";
    for (text, check, line, other) in [
        (access, "valid-deref", 8, 7),
        (overflow, "no-overflow", 6, 4),
        (freed, "valid-free", 7, 6),
    ] {
        let directory = tempfile::tempdir().expect("a scratch directory");
        let text = format!("extern int __VERIFIER_nondet_int(void);\n{text}");
        let path = directory.path().join("w.yml");
        let witness = path.display().to_string();
        let found = first_line(
            directory.path(),
            &text,
            &["--check", check, "--witness", &witness],
        );
        assert_eq!(found, format!("FALSE({check})"), "{text}");
        let written = std::fs::read_to_string(&path).expect("a witness was written");
        assert!(written.contains(&format!("line: {line}\n")), "{written}");
        assert_eq!(validity(directory.path(), &path), "CONFIRMED", "{written}");
        let (before, target) = written.rsplit_once("target").expect("a target");
        let wrong = target.replace(&format!("line: {line}\n"), &format!("line: {other}\n"));
        std::fs::write(&path, format!("{before}target{wrong}")).expect("it can be written");
        let found = validity(directory.path(), &path);
        // Another line may be one of the same statement.
        assert!(found.starts_with("UNKNOWN"), "{found}\n{written}");
    }
}

#[test]
fn targets_are_statements_of_several_lines() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let text = "extern int __VERIFIER_nondet_int(void);\nint a[4];\nint main(void) {\n  \
                int n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 4)\n    return 0;\n  \
                return a[0]\n    + a[n];\n}\n";
    let directory = tempfile::tempdir().expect("a scratch directory");
    let path = directory.path().join("w.yml");
    let witness = path.display().to_string();
    let options = ["--check", "valid-deref", "--witness", &witness];
    first_line(directory.path(), text, &options);
    let written = std::fs::read_to_string(&path).expect("a witness was written");
    let (before, target) = written.rsplit_once("target").expect("a target");
    for (line, expected) in [(7, "UNKNOWN"), (8, "CONFIRMED")] {
        let target = target.replace("line: 8\n", &format!("line: {line}\n"));
        std::fs::write(&path, format!("{before}target{target}")).expect("it can be written");
        let found = validity(directory.path(), &path);
        assert!(found.starts_with(expected), "{found}\n{written}");
    }
    // No violation agrees with this input.
    let other = written.replace("== 4", "== 2");
    assert_ne!(other, written, "an input of the run");
    std::fs::write(&path, other).expect("it can be written");
    let found = validity(directory.path(), &path);
    assert!(found.starts_with("REFUTED"), "{found}\n{written}");
}
