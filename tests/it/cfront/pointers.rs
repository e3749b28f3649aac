//! Comparisons of addresses: what C determines, and what it leaves to the machine.

use super::support::solve_text;
use horn::cfront::IntMode;

const PRELUDE: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
";

/// Is the error reached if the condition holds, or if it does not?
fn check(before: &str, body: &str, condition: &str, expected: [&str; 2]) {
    for ints in [IntMode::Unbounded, IntMode::Wrap, IntMode::BitVector] {
        for (test, expected) in [condition.to_owned(), format!("!({condition})")]
            .iter()
            .zip(expected)
        {
            let text = format!(
                "{PRELUDE}{before}\nint main(void) {{\n{body}\nif ({test}) reach_error();\nreturn 0;\n}}\n"
            );
            let found = solve_text(&text, ints);
            if found.lacks_solver() {
                return;
            }
            assert_eq!(found.word(), expected, "{ints:?}\n{text}\n{found:?}");
        }
    }
}

/// The condition always holds.
fn holds(before: &str, body: &str, condition: &str) {
    check(before, body, condition, ["unsafe", "safe"]);
}

/// The machine chooses whether the condition holds.
fn is_open(before: &str, body: &str, condition: &str) {
    check(before, body, condition, ["doubtful", "doubtful"]);
}

/// The condition is not supported.
fn is_refused(before: &str, body: &str, condition: &str) {
    check(before, body, condition, ["unsupported", "unsupported"]);
}

#[test]
fn objects_have_no_order() {
    is_open("", "int x, y; int *p = &x, *q = &y;", "p < q");
    is_open("", "int x, y; int *p = &x, *q = &y;", "p >= q");
    is_open("int x, y;", "", "&x > &y");
    is_open("", "int *p = malloc(4), *q = malloc(4);", "p < q");
    is_open("int f(void) { return 0; }", "int x;", "(long)&x < (long)&f");
    is_open(
        "int *make(void) { return malloc(40); }",
        "int *p = make(), *q = make();",
        "p <= q",
    );
    is_open(
        "int x, y;",
        "long a = (long)&x; unsigned long b = (long)&y;",
        "a < (long)b",
    );
    is_open("int x;", "", "(long)&x < 100000");
}

#[test]
fn one_object_has_an_order() {
    holds(
        "",
        "int a[10]; int *p = a + 2, *q = a + 5;",
        "p < q && q > p && p <= p",
    );
    holds(
        "",
        "int a[10]; int *end = a + 10, *p = a; while (p < end) p++;",
        "p == end",
    );
    holds("struct s { int a, b; } s;", "", "&s.a < &s.b");
    holds(
        "int count(int *p, int *end) { int n = 0; while (p < end) { p++; n++; } return n; }
         int a[2], b[3];",
        "int n = count(a, a + 2) + count(b, b + 3);",
        "n == 5",
    );
    holds(
        "",
        "int *p = malloc(12), *q = p + 3;",
        "p < q && q - p == 3",
    );
    holds(
        "",
        "int x; int *p = &x;",
        "p > (int *)0 && p != 0 && !(p <= (int *)0)",
    );
    holds(
        "int *make(void) { return malloc(40); }",
        "int *p = make(), *q = make();",
        "p < p + 1 && q < q + 2 && p != q && p <= p",
    );
}

#[test]
fn addresses_are_no_numbers() {
    is_open("int x;", "", "(long)&x == 4096");
    is_open("int x;", "", "&x == (int *)0x12345678");
    is_open("int x;", "", "(int)(long)&x == 5");
    is_open("int x;", "", "(unsigned char)(unsigned long)&x");
    holds(
        "int x;",
        "",
        "&x != (int *)-1 && &x != (int *)1 && (long)&x != 0 && &x",
    );
    holds("int x;", "int *p = (int *)1;", "p == (int *)1 && p != &x");
    is_refused("int x;", "", "((unsigned long)&x >> 4) % 16 == 3");
    is_refused("int x;", "", "((long)&x & 3) == 0");
    is_refused("int x;", "", "-(long)&x < 0");
    is_refused("int x;", "", "~(long)&x == 17");
    is_refused("int a[4];", "", "(long)&a[2] - (long)&a[0] == 2");
    is_refused("int x; int a[9];", "", "a[(long)&x] == 0");
    holds("int a[4];", "", "&a[2] - &a[0] == 2");
    holds("int a[4][3];", "", "&a[2] - &a[0] == 2 && a[1] - a[0] == 3");
}

#[test]
fn strings_may_be_one() {
    is_open("", "const char *p = \"abc\", *q = \"abc\";", "p == q");
    is_open("", "const char *p = \"abc\", *q = \"bc\";", "p + 1 == q");
    holds(
        "",
        "const char *p = \"abc\", *q = p;",
        "p == q && q + 1 > p",
    );
    holds(
        "",
        "char p[] = \"abc\", q[] = \"abc\";",
        "(char *)p != (char *)q",
    );
}

/// Addresses count units, so that a number which is used as a pointer has no sum that is known.
#[test]
fn numbers_are_no_addresses_of_elements() {
    is_open("", "int *p = (int *)100; p++;", "(unsigned long)p == 104");
    is_open(
        "struct S { int a, b; };",
        "struct S *p = (struct S *)64; int *q = &p->b;",
        "(unsigned long)q == 68",
    );
    holds("", "char *p = (char *)100; p++;", "(unsigned long)p == 101");
}

/// A part of an object by a pointer to another type has no address that is known.
#[test]
fn parts_of_another_type_are_not_supported() {
    is_refused(
        "struct S { struct S *s; } s; struct T { struct T *t; } t;
         void *of(void *v) { struct T *p = v; return &p->t; }",
        "t.t = &t; s.s = &s; void **p = of(&s); *p = t.t;",
        "s.s == (void *)&t",
    );
}

/// Between members, addresses are not as far from each other as bytes are.
/// A pointer that may point to objects of several types is one to its own where it is used.
#[test]
fn objects_of_several_types_are_told_apart() {
    let shapes = "struct shape; struct kind { int (*area)(struct shape *); };
        struct shape { const struct kind *kind; };
        struct square { struct shape base; int side; };
        struct oblong { struct shape base; int width, height; };
        int square(struct shape *s) { struct square *q = (struct square *)s; return q->side * q->side; }
        int oblong(struct shape *s) { struct oblong *o = (struct oblong *)s; return o->width * o->height; }
        const struct kind squares = { square }, oblongs = { oblong };";
    let both = "struct square a = { { &squares }, 4 }; struct oblong b = { { &oblongs }, 2, 3 };
        struct shape *all[] = { &a.base, &b.base };";
    holds(
        shapes,
        &format!(
            "{both} int sum = 0; for (int i = 0; i < 2; i++) sum += all[i]->kind->area(all[i]);"
        ),
        "sum == 22",
    );
    is_refused(
        shapes,
        &format!("{both} b.base.kind = &squares; int area = all[1]->kind->area(all[1]);"),
        "area == 4",
    );
    holds(
        "struct A { int x; }; struct B { char c; long y; };
         void more(void *p, int is_b) { if (is_b) ((struct B *)p)->y++; else ((struct A *)p)->x++; }",
        "struct A a = { 1 }; struct B b = { 2, 3 }; more(&a, 0); more(&b, 1);",
        "a.x == 2 && b.y == 4 && b.c == 2",
    );
    // So is one whose members have their addresses taken.
    holds(
        "struct A { int x, y; }; struct B { long y; int z; };
         int *part(void *p, int is_b) { return is_b ? &((struct B *)p)->z : &((struct A *)p)->y; }",
        "struct A a = { 1, 2 }; struct B b = { 2, 3 }; *part(&a, 0) = 5; *part(&b, 1) = 6;",
        "a.x == 1 && a.y == 5 && b.z == 6",
    );
}

#[test]
fn distances_are_those_of_elements() {
    let before = "struct S { char a; int b; char c; } s, t[4];";
    is_refused(before, "", "&s.c - &s.a == 8");
    holds(
        before,
        "struct S *p = t, *q = &t[3];",
        "q - p == 3 && &q->c - &q->c == 0",
    );
}

/// A pointer to a structure of scalars of one size leads to all of them, one after the other.
#[test]
fn structures_of_one_type_are_arrays_too() {
    let texts = "struct S { char a[2]; char b[3]; } s = {\"1\", \"12\"};";
    let p = "const char *p = (const char *)&s;";
    holds(texts, p, "p[2] == '1' && p[3] == '2' && p[4] == 0");
    holds(texts, p, "p + 2 == s.b && s.b - p == 2");
    let numbers = "struct S { int a, b, c[2]; } s = {1, 2, {3, 4}};";
    holds(numbers, "int *p = (int *)&s; p++;", "*p == 2");
    holds(
        numbers,
        "int *p = &s.a; p[3] = 7;",
        "s.c[1] == 7 && s.c[0] == 3",
    );
    holds(
        "struct P { int x, y; } a[3];",
        "int *p = (int *)a; for (int i = 0; i < 6; i++) p[i] = i;",
        "a[1].y == 3 && a[2].x == 4",
    );
}

/// Memory has no bytes of scalars that are larger.
#[test]
fn bytes_of_other_members_are_not_supported() {
    let mixed =
        "struct S { char n[4]; int v; } s = {\"ab\", 258}, a[2] = {{\"c\", 1}, {\"d\", 2}};";
    holds(
        mixed,
        "char *p = s.n; while (*p) p++;",
        "p - s.n == 2 && p[1] == 0",
    );
    holds(
        mixed,
        "char *p = a[1].n; *p++ = 'x';",
        "a[1].n[0] == 'x' && *p == 0",
    );
    let p = "const char *p = (const char *)&s;";
    holds(mixed, p, "p[1] == 'b' && p[3] == 0");
    is_refused(mixed, p, "p[4] == 2");
    for by in [4, 5, 6] {
        is_refused(mixed, &format!("char *p = a[0].n; p += {by};"), "*p == 2");
    }
    let rows = "struct S { char c; int v; } a[2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};";
    holds(rows, "char *p = &a[1][0].c;", "*p == 5");
    is_refused(rows, "char *p = &a[1][0].c; p += 4;", "*p == 6");
    let inner = "struct { struct S { char c; int v; } in[2]; } s = {{{1, 2}, {3, 4}}};";
    is_refused(inner, "char *p = &s.in[0].c; p += 4;", "*p == 2");
}
