//! What is evaluated although no value of it is used, and what is executed although no statement
//! calls it.

use super::properties::first_line;
use crate::tools::tool_found;
use std::path::Path;
use std::process::Command;

/// What stands before the bodies of `main`.
const HEAD: &str = "#include <stdio.h>\n#include <stdlib.h>\nextern void reach_error(void);\n\
                    void outside(int, int);\nint called;\n\
                    int reaches(void) { reach_error(); return 1; }\n\
                    int seven(void) { called = 1; return 7; }\n";

/// The verdict about a program, without the text between brackets.
fn verdict_of(text: &str, options: &[&str]) -> String {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let found = first_line(directory.path(), text, options);
    found.split('(').next().unwrap_or_default().to_owned()
}

/// The verdict about the body of `main`.
fn verdict(body: &str, options: &[&str]) -> String {
    verdict_of(
        &format!("{HEAD}int main(void) {{ {body} return 0; }}\n"),
        options,
    )
}

/// Arguments of functions without a body or a model are evaluated: they may have no value.
#[test]
fn arguments_are_evaluated() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    for (property, body, expected) in [
        (
            "memsafety",
            "int a[3] = {0}; printf(\"%d\", a[3]);",
            "FALSE",
        ),
        ("memsafety", "int a[3] = {0}; printf(\"%d\", a[2]);", "TRUE"),
        ("memsafety", "int *p = 0; printf(\"%d\", *p);", "FALSE"),
        ("memsafety", "int a[3] = {0}; a[3];", "FALSE"),
        ("memsafety", "int a[3] = {0}; exit(a[3]);", "FALSE"),
        (
            "memsafety",
            "int *p, a; p = &a; p++; outside(0, *p);",
            "FALSE",
        ),
        (
            "overflow",
            "int x = 2147483647; printf(\"%d\", x + 1);",
            "FALSE",
        ),
        ("division", "int x = 0; printf(\"%d\", 3 / x);", "FALSE"),
        ("unreach-call", "exit(reaches());", "FALSE"),
        ("unreach-call", "outside(reaches(), 0);", "FALSE"),
    ] {
        assert_eq!(verdict(body, &["--check", property]), expected, "{body}");
    }
}

/// The length of an array that is declared is evaluated; elsewhere its effects are not supported.
#[test]
fn lengths_of_arrays_are_evaluated() {
    for (body, expected) in [
        ("int x = 1; int a[++x]; if (x == 2) reach_error();", "FALSE"),
        ("int x = 1; int a[++x]; if (x != 2) reach_error();", "TRUE"),
        ("int a[seven()]; if (called == 1) reach_error();", "FALSE"),
        (
            "int x = 1; typedef int T[++x]; T a, b; if (x == 2) reach_error();",
            "FALSE",
        ),
        (
            "int x = 1; struct S { int a[++x]; }; if (x == 2) reach_error();",
            "UNKNOWN",
        ),
    ] {
        assert_eq!(verdict(body, &["--no-confirm"]), expected, "{body}");
    }
}

/// The first line about the program that is there, and a witness.
fn validated(directory: &Path, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_c2horn"))
        .arg("--lp64")
        .args(options)
        .arg(directory.join("p.c"))
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().unwrap_or_default().to_owned()
}

/// The standard says which arguments `main` may have.
#[test]
fn arguments_of_main_are_those_of_a_program() {
    for (condition, expected) in [
        ("argc < 0", "TRUE"),
        ("argc == 0", "FALSE"),
        ("argc == 12", "FALSE"),
        ("!argv", "TRUE"),
    ] {
        let text = format!(
            "extern void reach_error(void);\n\
             int main(int argc, char **argv) {{ if ({condition}) reach_error(); return 0; }}\n"
        );
        assert_eq!(verdict_of(&text, &[]), expected, "{condition}");
    }
    let directory = tempfile::tempdir().expect("a scratch directory");
    let text = "extern void reach_error(void);\n\
                int main(int argc, char **argv) { if (argc == 12) reach_error(); return 0; }\n";
    let witness = directory.path().join("w.yml");
    let witness = witness.to_str().expect("a name in UTF-8");
    let (first, second) = (["--witness", witness], ["--validate", witness]);
    let found = first_line(directory.path(), text, &first);
    assert_eq!(found, "FALSE(unreach-call)");
    assert_eq!(validated(directory.path(), &second), "CONFIRMED");
}

/// Attributes may have functions called before `main` and after it, and at the end of a block.
#[test]
fn attributes_that_call_functions_are_not_ignored() {
    let head = "extern void reach_error(void); int n;";
    for (text, expected) in [
        (
            "__attribute__((constructor)) static void f(void) { n = 7; }\
             int main(void) { if (n == 7) reach_error(); return 0; }",
            "FALSE",
        ),
        (
            "static void f(void) __attribute__((constructor(102))); static void f(void) { n++; }\
             __attribute__((constructor(101))) static void g(void) { n = 7; }\
             int main(void) { if (n != 8) reach_error(); return 0; }",
            "TRUE",
        ),
        (
            "__attribute__((destructor)) static void f(void) { reach_error(); }\
             int main(void) { return 0; }",
            "UNKNOWN",
        ),
        (
            "static void f(int *p) { if (*p == 3) reach_error(); }\
             int main(void) { int x __attribute__((cleanup(f))) = 3; return 0; }",
            "UNKNOWN",
        ),
        (
            "int f(void) { return 1; } int g(void) __attribute__((alias(\"f\")));\
             int main(void) { if (g() != 1) reach_error(); return 0; }",
            "UNKNOWN",
        ),
    ] {
        assert_eq!(
            verdict_of(&format!("{head}\n{text}\n"), &["--no-confirm"]),
            expected,
            "{text}"
        );
    }
}

/// Initial values of unions and of arrays of texts, and members beside bit-fields.
#[test]
fn parts_of_objects_have_their_values() {
    let head = "extern void reach_error(void);\nunion U { int in; int i; };\n\
                struct B { unsigned char a, b : 2, c : 2, d; };\nchar s[1][1][5] = {\"1234\"};\n\
                struct T { char n[2][4]; int k; } t[2] = {\"abc\", \"de\", 1, {{\"x\"}, 5}};\n";
    for (body, expected) in [
        (
            "union U u = {.in = 3}; if (u.i == 3) reach_error();",
            "FALSE",
        ),
        ("union U u = {3}; if (u.i == 3) reach_error();", "FALSE"),
        ("union U u = {0}; if (u.i != 0) reach_error();", "TRUE"),
        ("if (((union U){.in = 3}).i == 3) reach_error();", "FALSE"),
        (
            "if (s[0][0][1] != '2' || s[0][0][4]) reach_error();",
            "TRUE",
        ),
        (
            "if (t[0].n[1][1] != 'e' || t[0].k != 1 || t[1].k != 5) reach_error();",
            "TRUE",
        ),
        (
            "struct B b; struct B *p = &b; if ((unsigned char *)p + 2 == &p->d) reach_error();",
            "UNKNOWN",
        ),
    ] {
        let text = format!("{head}int main(void) {{ {body} return 0; }}\n");
        assert_eq!(verdict_of(&text, &["--no-confirm"]), expected, "{body}");
    }
}

/// Operands of `asm` without instructions are evaluated, outputs too.
#[test]
fn operands_of_barriers_are_evaluated() {
    for (condition, expected) in [("==", "FALSE"), ("!=", "TRUE")] {
        let body = format!(
            "int x = 5; asm(\"\" : \"+r\"(*(seven(), &x)) : \"r\"(seven())); \
             if (called {condition} 1 && x == 5) reach_error();"
        );
        assert_eq!(verdict(&body, &[]), expected, "{body}");
    }
}

/// A format ends at its first zero, as any text of the library's functions.
#[test]
fn formats_end_at_a_zero() {
    for (condition, expected) in [("==", "FALSE"), ("!=", "TRUE")] {
        let body = format!(
            "char b[9]; int n = sprintf(b, \"a%d\\0%d\", 4); \
             if (n {condition} 2) reach_error();"
        );
        assert_eq!(verdict(&body, &[]), expected, "{body}");
    }
}

/// What is no UTF-8 is taken byte by byte, as compilers do.
#[test]
fn texts_of_other_encodings_have_their_bytes() {
    for (condition, expected) in [("==", "FALSE"), ("!=", "TRUE")] {
        let mut text = b"/* \xe9 ' */ extern void reach_error(void); // \xff \\\n' \n".to_vec();
        text.extend(b"const char s[] = \"caf\xe91\", c = '\xdf';\nint main(void) { if (");
        let test =
            format!("sizeof s {condition} 6 && s[3] {condition} -23 && s[4] {condition} '1'");
        text.extend(test.as_bytes());
        text.extend(format!(" && c {condition} -33) reach_error(); return 0; }}\n").as_bytes());
        let directory = tempfile::tempdir().expect("a scratch directory");
        let file = directory.path().join("latin.c");
        std::fs::write(&file, &text).expect("the directory can be written");
        let output = Command::new(env!("CARGO_BIN_EXE_c2horn"))
            .args(["--verify", "--lp64"])
            .arg(&file)
            .output()
            .expect("the program runs");
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(found.starts_with(expected), "{condition} {found}");
    }
}

/// Types that are the same here may differ in C.
#[test]
fn compatible_types_are_those_of_c() {
    let before = "typedef enum { A } one; typedef enum { B } two; int i;";
    for (types, expected) in [
        ("int, const int", "FALSE"),
        ("int[5], int[]", "FALSE"),
        ("int[5], int[4]", "TRUE"),
        ("int, unsigned", "TRUE"),
        ("one, two", "UNKNOWN"),
        ("__typeof__(i), int", "FALSE"),
        ("__typeof__(&i), int *", "FALSE"),
        ("__typeof__(&i), const int *", "TRUE"),
        ("one *, two *", "UNKNOWN"),
        ("char *, const char *", "TRUE"),
        ("char *, signed char *", "TRUE"),
    ] {
        let text = format!(
            "extern void reach_error(void); {before}\nint main(void) {{ \
             if (__builtin_types_compatible_p({types})) reach_error(); return 0; }}\n"
        );
        assert_eq!(verdict_of(&text, &[]), expected, "{types}");
    }
}

/// The sizes of the largest types are not counted.
#[test]
fn sizes_beyond_counting_are_not_supported() {
    let body = "struct S { short b[1L << 61]; int a; }; if (sizeof(struct S) == 4) reach_error();";
    assert_eq!(verdict(body, &[]), "UNKNOWN");
}

/// Macros that a pragma puts aside have their meaning again when it brings them back.
#[test]
fn macros_are_put_aside() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let text = "#define N 2\n#pragma push_macro(\"N\")\n#undef N\n#define N 1\n\
                #pragma pop_macro(\"N\")\nextern void reach_error(void);\n\
                int main(void) { if (N != 2) reach_error(); return 0; }\n";
    assert_eq!(verdict_of(text, &[]), "TRUE");
}

/// Macros that the compiler defines have their meaning in a file without directives.
#[test]
fn macros_of_the_compiler_are_known() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    let body = "int line = __LINE__, bits = __CHAR_BIT__; if (bits != 8 || line < 1) reach_error(); \
                if (__INT_MAX__ != 2147483647 || __FUNCTION__[0] != 'm') reach_error();";
    assert_eq!(verdict(body, &[]), "TRUE");
}

/// A type that an expression of a statement declares has the scope of that statement.
#[test]
fn types_in_expressions_end_with_their_statement() {
    let body = "struct T { char a; }; if (sizeof(struct T { int a, b; }) != 8) reach_error(); \
                if (sizeof(struct T) != 1) reach_error();";
    assert_eq!(verdict(body, &[]), "TRUE");
}

/// Numbers are rounded to the nearest; a program that changes that is not supported.
#[test]
fn other_ways_to_round_are_not_supported() {
    let before = "extern void reach_error(void); int fesetround(int);";
    for (way, expected) in [("0x400", "UNKNOWN"), ("0", "FALSE")] {
        let text = format!(
            "{before}\nint main(void) {{ fesetround({way}); if (1.0 / 3 > 0) reach_error(); return 0; }}\n"
        );
        assert_eq!(verdict_of(&text, &[]), expected, "{way}");
    }
}

/// The middle operand of a conditional that is not written can stand before one without a value.
#[test]
fn operands_without_values() {
    for (body, expected) in [
        ("int a = 0; a ?: reach_error();", "FALSE"),
        ("int a = 1; a ?: reach_error();", "TRUE"),
        ("int a = 1; a ?: (void)a; reach_error();", "FALSE"),
        (
            "int a = 0; int b = a ?: 2; if (b != 2) reach_error();",
            "TRUE",
        ),
    ] {
        assert_eq!(verdict(body, &[]), expected, "{body}");
    }
}

/// An error function can be declared with a result.
#[test]
fn error_functions_have_results() {
    for (body, expected) in [
        ("int x = reach_error();", "FALSE"),
        ("return a && reach_error() > 3;", "TRUE"),
        ("int x = a ?: reach_error();", "FALSE"),
        (
            "int x = a ? reach_error() : 1; if (x != 1) return reach_error();",
            "TRUE",
        ),
    ] {
        let text = format!(
            "extern int reach_error(void); int a;\nint main(void) {{ {body} return 0; }}\n"
        );
        assert_eq!(verdict_of(&text, &[]), expected, "{body}");
    }
}

/// The operand of `typeof` is evaluated if its type has a length that is evaluated.
#[test]
fn operands_of_typeof_are_evaluated() {
    for (body, expected) in [
        (
            "int k = 1; (void)(__typeof__((int (*)[k++])p))p; if (k == 2) reach_error();",
            "FALSE",
        ),
        (
            "int k = 1; (void)(__typeof__((int (*)[k++])p))p; if (k != 2) reach_error();",
            "TRUE",
        ),
        (
            "int k = 1; (void)(__typeof__((int)k++))k; if (k != 1) reach_error();",
            "TRUE",
        ),
    ] {
        let body = format!("void *p = 0; {body}");
        assert_eq!(verdict(&body, &[]), expected, "{body}");
    }
}

/// String literals side by side are one, of wide characters if one of them is.
#[test]
fn names_of_characters_have_their_units() {
    if !tool_found("cc", &["--version"]) {
        return;
    }
    for (text, units) in [
        (r#"u"a\U00064321""#, &[97, 0xd950, 0xdf21][..]),
        (r#"u"a" "\u20291""#, &[97, 0x2029, 49]),
        (r#""\U00064321" u"b""#, &[0xd950, 0xdf21, 98]),
        (r#"L"\U00064321" "b""#, &[0x64321, 98]),
        (r#""\u00e9" "b""#, &[0xc3 - 256, 0xa9 - 256, 98]),
        (r#"u8"\u00e9""#, &[0xc3 - 256, 0xa9 - 256]),
    ] {
        let differs: Vec<String> = units
            .iter()
            .chain(&[0])
            .enumerate()
            .map(|(at, unit)| format!("s[{at}] != ({unit})"))
            .collect();
        for (test, expected) in [(differs.join(" || "), "TRUE"), ("1".to_owned(), "FALSE")] {
            let program = format!(
                "#define N 1\nextern void reach_error(void);\nint main(void) {{ \
                 const __typeof__(({text})[0]) s[] = {text}; \
                 if (sizeof s != {count} * sizeof s[0] || {test}) reach_error(); return 0; }}\n",
                count = units.len() + 1
            );
            assert_eq!(verdict_of(&program, &[]), expected, "{text}: {test}");
        }
    }
}
