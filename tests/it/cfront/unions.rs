//! Unions of which several members are used: bytes that they share, and values with a tag.

use super::properties::first_line;

/// What stands before the functions of the programs.
const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    void *malloc(unsigned long);\n\
    union word { unsigned w; unsigned short h[2]; unsigned char b[4]; int s; \
                 struct { char low; short high; } p; unsigned nibble : 4; };\n\
    struct shape { int kind; union { int side; struct { short w, h; } box; char *name; } of; };\n\
    union any { int i; double d; void *p; };\n";

/// The verdict about a program, without the text between brackets.
fn verdict(functions: &str, body: &str) -> String {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let text = format!("{HEAD}{functions}\nint main(void) {{ {body} return 0; }}\n");
    let found = first_line(directory.path(), &text, &[]);
    found.split('(').next().unwrap_or_default().to_owned()
}

/// The condition holds after the body, and the opposite does not.
#[track_caller]
fn holds(functions: &str, body: &str, right: &str) {
    for (test, expected) in [(format!("!({right})"), "TRUE"), (right.to_owned(), "FALSE")] {
        let program = format!("{body} if ({test}) reach_error();");
        assert_eq!(verdict(functions, &program), expected, "{program}");
    }
}

/// A number has the bytes that another member of it wrote, the lowest first.
#[test]
fn numbers_share_their_bytes() {
    let word = "union word z; z.w = 0x04030201;";
    holds(
        "",
        word,
        "z.b[0] == 1 && z.b[3] == 4 && z.h[1] == 0x0403 && z.s == 0x04030201",
    );
    holds("", word, "z.p.low == 1 && z.p.high == 0x0403");
    holds(
        "",
        &format!("{word} z.b[2] = 0xff;"),
        "z.w == 0x04ff0201 && z.h[1] == 0x04ff",
    );
    holds(
        "",
        &format!("{word} z.h[0] = 0xabcd;"),
        "z.s == 0x0403abcd && z.b[1] == 0xab",
    );
    holds("", "union word z; z.s = -1; z.p.high = 0;", "z.w == 0xffff");
    holds("", "union word z = { .b = { 1, 2 } };", "z.w == 0x201");
    holds("", "static union word z;", "z.w == 0 && z.b[2] == 0");
    let body = "union word z; if ((unsigned char)z.w != z.b[0]) reach_error();";
    assert_eq!(verdict("", body), "TRUE");
    let copied = format!("{word} union word o = z; z.w = 5; o.b[3] = 0;");
    holds("", &copied, "o.w == 0x030201 && z.b[0] == 5");
    holds(
        "unsigned swapped(unsigned n) { union word z, o; z.w = n; \
         for (int i = 0; i < 4; i++) o.b[0] = z.b[3], o.b[1] = z.b[2], o.b[2] = z.b[1], o.b[3] = z.b[0]; \
         return o.w; }",
        "",
        "swapped(0x11223344) == 0x44332211",
    );
}

/// A union within a union is written as any member is: the others have its bytes.
#[test]
fn unions_in_unions_share_their_bytes() {
    let functions = "union outer { union { int a; unsigned b; } in; int n; };";
    let body = "union outer o, p; p.in.a = 5; o.n = 1; o.in = p.in;";
    holds(functions, body, "o.n == 5 && o.in.b == 5");
    holds(
        functions,
        &format!("{body} p = o; o.n = 2;"),
        "p.n == 5 && o.in.a == 2",
    );
}

/// A value is found by the member that its tag tells, in copies, arguments and on the heap.
#[test]
fn tagged_values_are_known() {
    let area = "int area(struct shape s) { \
                return s.kind == 0 ? s.of.side * s.of.side : s.of.box.w * s.of.box.h; }";
    holds(
        area,
        "struct shape s = { 0, { 5 } }, t = s;",
        "area(t) == 25",
    );
    holds(
        area,
        "struct shape *p = malloc(sizeof *p); if (!p) return 0; \
         p->kind = 1; p->of.box.w = 2; p->of.box.h = 3;",
        "area(*p) == 6",
    );
    let body = "union any a; if (__VERIFIER_nondet_int()) { a.d = 1.5; if (a.d != 1.5) reach_error(); } \
                else { a.i = 3; if (a.i != 3) reach_error(); }";
    assert_eq!(verdict("", body), "TRUE");
    let body =
        "union any a[3]; for (int i = 0; i < 3; i++) a[i].i = i; if (a[1].i != 1) reach_error();";
    assert_eq!(verdict("", body), "TRUE");
}

/// What is not known of bytes proves nothing, and is no run.
#[test]
fn bytes_that_are_not_known_are_any() {
    for body in [
        "union any a; a.d = 1.5; if (a.i == 7) reach_error();",
        "union any a; a.p = &a; if (a.i == 0) reach_error();",
        "union word z; z.w = 0; z.nibble = 3; if (z.w == 3) reach_error();",
        "union word z; z.w = 0; z.b[__VERIFIER_nondet_int() & 3] = 1; if (z.w == 1) reach_error();",
        "union word z; z.w = 0; unsigned char *p = z.b; p[1] = 1; if (z.w == 256) reach_error();",
        "union word z; z.w = 0; z.b[z.b[0]] = 1; if (z.w == 1) reach_error();",
        "union any a; if (a.i == 1 && a.d == 1.5) reach_error();",
        "union any a[2]; if (a[1].i == 1 && a[1].d == 1.5) reach_error();",
    ] {
        assert_eq!(verdict("", body), "UNKNOWN", "{body}");
    }
}
