//! Words of GNU C and of other standards that are put into words that the parser knows, and what
//! the compiler provides under names of functions.

use super::library::programs::check_by;
use super::support::solve_unrolled;

/// After `body`, `right` always holds, and `wrong` does not.
fn check(before: &str, body: &str, right: &str, wrong: &str) {
    check_by(&solve_unrolled, before, body, right, wrong);
}

#[test]
fn operands_that_are_not_written() {
    for (body, right, wrong) in [
        ("int x = n++ ?: 5;", "x == 5 && n == 1", "x == 1"),
        ("n = 2; int x = n++ ?: 5;", "x == 2 && n == 3", "x == 3"),
        (
            "char *p = 0; char *q = p ?: \"a\";",
            "q[0] == 'a'",
            "q == p",
        ),
        ("int a[2 ?: 3];", "sizeof a == 8", "sizeof a == 4"),
        ("double d = 0.5 ?: 2;", "d == 0.5", "d == 2"),
    ] {
        check("int n;", body, right, wrong);
    }
}

#[test]
fn labels_are_values() {
    let before = "int run(const unsigned char *code) {
        static void *const ways[] = { &&more, &&less, &&end };
        int value = 0;
        goto *ways[*code];
        more: value++; goto *ways[*++code];
        less: value--; goto *ways[*++code];
        end: return value;
    }
    unsigned long here(void) { return ({ __label__ h; h: (unsigned long)&&h; }); }";
    for (body, right, wrong) in [
        (
            "unsigned char code[] = { 0, 0, 1, 2 };",
            "run(code) == 1",
            "run(code) == 2",
        ),
        (
            "void *p = &&a; int x = 1; goto *p; x = 2; a:",
            "x == 1",
            "x == 2",
        ),
        ("unsigned long h = here();", "h != 0", "h == 0"),
        (
            "int x = 0; { __label__ l; goto l; x = 1; l:; } { __label__ l; goto l; l: x += 2; }",
            "x == 2",
            "x == 3",
        ),
        ("int x = 0; if (x == 0) { goto l; l: }", "x == 0", "x == 1"),
        ("int x = 0; goto l; l: int y = 3;", "y == 3", "y == 0"),
        (
            "int x = 1, y = x ? ({ int z = x; goto l; z = 5; l: z; }) : 3;",
            "y == 1",
            "y == 5",
        ),
    ] {
        check(before, body, right, wrong);
    }
}

#[test]
fn declarations_of_all_kinds() {
    let before = "static __thread int t = 3; _Atomic(int *) p; int $x; int \u{e4};
        union u { int i; char c; };
        struct s { int a; union { int b; unsigned c; }; struct { int d, e; } f; };
        int last(int n, int a[n], int m[static 2]) { return a[n - 1] + m[0]; }
        __asm__(\"\");
        typedef unsigned __int128 big; static inline big twice(big x) { return x + x; }
        static int list[] = { [0 ... 2] = 7, [4] = 1 };";
    for (body, right, wrong) in [
        ("", "t == 3 && p == 0 && $x == 0 && \u{e4} == 0", "t == 0"),
        (
            "__auto_type x = 5u; int a[] = { 1, 2 }; __auto_type q = a;",
            "x == 5 && q[1] == 2",
            "x == 4",
        ),
        ("union u u = (union u)5;", "u.i == 5", "u.i == 4"),
        (
            "struct s s = { .a = 1, .c = 2, .f.d = 3, .f.e = 4 };",
            "s.c == 2 && s.f.d == 3 && s.f.e == 4",
            "s.f.d == 0",
        ),
        (
            "int a[] = { 1, 2 };",
            "last(2, a, a) == 3",
            "last(2, a, a) == 2",
        ),
        (
            "",
            "list[2] == 7 && list[3] == 0 && sizeof list == 20",
            "list[1] == 0",
        ),
        (
            "int m[2][2] = { [1][0] = 3, [0] = { 1, 2 } };",
            "m[1][0] == 3 && m[0][1] == 2",
            "m[0][1] == 0",
        ),
        (
            "_Static_assert(sizeof(int) == 4);",
            "sizeof (int[3]){ 0 } == 12",
            "sizeof (char[3]){ 0 } == 8",
        ),
        ("", "sizeof __func__ == 5", "sizeof __func__ == 8"),
        ("int x<:2:> = <% 1, 2 %>;", "x<:1:> == 2", "x[0] == 2"),
        (
            "__asm__ volatile(\"\" ::: \"memory\"); int x = 1; __asm__(\"\" : \"+r\"(x));",
            "x == 1",
            "x == 2",
        ),
        (
            "",
            "__builtin_types_compatible_p(int, typeof(1)) && !__builtin_types_compatible_p(int, char *)",
            "__builtin_types_compatible_p(int[2], int *)",
        ),
        (
            "",
            "__builtin_choose_expr(sizeof(int) == 4, 2, \"a\") == 2",
            "__builtin_choose_expr(0, 2, 3) == 2",
        ),
        ("", "sizeof \"\\u00e4\" == 3", "sizeof \"\\u00e4\" == 2"),
    ] {
        check(before, body, right, wrong);
    }
}

/// Attributes of labels and of empty statements say nothing about values.
#[test]
fn attributes_of_statements_are_left_out() {
    let before = "int run(int x) {
        int r = 0;
        switch (x) {
        case 1: r++; __attribute__((fallthrough));
        case 2: r += 2; break;
        case 3: { r = 9; } __attribute__((__fallthrough__));
        default: r++; goto end;
        }
        end: __attribute__((unused))
        return r;
    }";
    for (body, right, wrong) in [
        ("", "run(1) == 3 && run(2) == 2", "run(1) == 1"),
        ("", "run(3) == 10 && run(0) == 1", "run(3) == 9"),
        (
            "int x = 1; { goto end; x = 2; end: __attribute__((unused)); }",
            "x == 1",
            "x == 2",
        ),
    ] {
        check(before, body, right, wrong);
    }
}

/// Promises to the optimiser change no value, and `__builtin_constant_p` evaluates nothing.
#[test]
fn promises_to_the_optimiser() {
    for (body, right, wrong) in [
        (
            "int x = 3; long r = __builtin_expect(x++, 0);",
            "r == 3 && x == 4 && sizeof(__builtin_expect(x, 1)) == sizeof(long)",
            "__builtin_expect(0.5, 1)",
        ),
        (
            "int x = __builtin_expect_with_probability(2, 1, 0.9);",
            "x == 2",
            "x == 1",
        ),
        (
            "int x = 1, *p = __builtin_assume_aligned(&x, 4); *p = 7;",
            "x == 7",
            "x == 1",
        ),
        (
            "enum { N = __builtin_constant_p(4) ? 4 : 1 }; int a[N], x = 3; int k = __builtin_constant_p(x++);",
            "sizeof a == 16 && k == 0 && x == 3 && __builtin_constant_p(\"a\")",
            "__builtin_constant_p(x)",
        ),
        (
            "int k = __builtin_choose_expr(__builtin_constant_p(7), 11, \"a\");",
            "k == 11",
            "k == 7",
        ),
        (
            "int r = __builtin_add_overflow_p(2147483647, 1, (int)0);",
            "r && !__builtin_mul_overflow_p(3, 4, (char)0) && __builtin_sub_overflow_p(1, 2, 0u)",
            "__builtin_add_overflow_p(2147483647, 1, 0ll)",
        ),
    ] {
        check("", body, right, wrong);
    }
}

/// Members lie where alignments put them.
#[test]
fn alignments_of_members() {
    let before = "struct s { char a; _Alignas(8) char b; _Alignas(int) char c; };";
    check(
        before,
        "char *e = \"\\e[0m\";",
        "sizeof(struct s) == 16 && __builtin_offsetof(struct s, c) == 12 && e[0] == 27",
        "sizeof(struct s) == 3",
    );
}

#[test]
fn functions_on_bits() {
    for (body, right, wrong) in [
        (
            "",
            "__builtin_popcount(0xf0f0u) == 8 && __builtin_popcountll(~0ull) == 64",
            "__builtin_popcount(3) == 1",
        ),
        (
            "",
            "__builtin_clz(1) == 31 && __builtin_clzl(1ul << 40) == 23",
            "__builtin_clz(2) == 31",
        ),
        (
            "",
            "__builtin_ctz(8) == 3 && __builtin_ffs(0) == 0 && __builtin_ffs(8) == 4",
            "__builtin_ctz(8) == 4",
        ),
        (
            "",
            "__builtin_parity(7) == 1 && __builtin_clrsb(-1) == 31",
            "__builtin_parity(5) == 1",
        ),
        (
            "",
            "__builtin_bswap32(0x01020304u) == 0x04030201u && __builtin_bswap16(0x0102) == 0x0201",
            "__builtin_bswap32(1) == 1",
        ),
        (
            "",
            "__builtin_bswap64(0x0102030405060708ull) == 0x0807060504030201ull",
            "__builtin_bswap64(1) == 1",
        ),
        (
            "unsigned x = __VERIFIER_nondet_uint(); if (x >= 4) return 0;",
            "__builtin_popcount(x) <= 2",
            "__builtin_popcount(x) <= 1",
        ),
    ] {
        check(
            "extern unsigned __VERIFIER_nondet_uint(void);",
            body,
            right,
            wrong,
        );
    }
}

#[test]
fn checks_for_overflow() {
    let before = "extern unsigned __VERIFIER_nondet_uint(void);";
    for (body, right, wrong) in [
        (
            "int r, o = __builtin_add_overflow(2147483647, 1, &r);",
            "o && r == -2147483648",
            "!o",
        ),
        (
            "unsigned r; int o = __builtin_sub_overflow(1u, 2u, &r);",
            "o && r == ~0u",
            "!o",
        ),
        (
            "short r; int o = __builtin_add_overflow(40000, 0, &r);",
            "o && r == 40000 - 65536",
            "r == 40000",
        ),
        (
            "long r; int o = __builtin_mul_overflow(1l << 40, 1l << 40, &r);",
            "o && r == 0",
            "!o",
        ),
        (
            "long r; int o = __builtin_smull_overflow(3, -4, &r);",
            "!o && r == -12",
            "o",
        ),
        (
            "unsigned long r; int o = __builtin_mul_overflow(~0ul, 2ul, &r);",
            "o && r == ~0ul - 1",
            "!o",
        ),
        (
            "unsigned x = __VERIFIER_nondet_uint(); if (__builtin_add_overflow(x, x, &x)) return 0;",
            "x % 2 == 0",
            "x < 10",
        ),
    ] {
        check(before, body, right, wrong);
    }
}

#[test]
fn atomic_objects() {
    let before = "struct flag { _Bool set; };";
    for (body, right, wrong) in [
        (
            "int x = 1; int old = __sync_fetch_and_add(&x, 2);",
            "x == 3 && old == 1",
            "old == 3",
        ),
        (
            "long x = 1; long new = __sync_sub_and_fetch(&x, 2);",
            "new == -1",
            "new == 1",
        ),
        (
            "int x = 1; _Bool done = __sync_bool_compare_and_swap(&x, 1, 5);",
            "done && x == 5",
            "x == 1",
        ),
        (
            "int x; __atomic_store_n(&x, 3, 5); int y = __atomic_exchange_n(&x, 4, 5);",
            "y == 3 && __atomic_load_n(&x, 5) == 4",
            "y == 4",
        ),
        (
            "int x = 1, e = 2; _Bool done = __atomic_compare_exchange_n(&x, &e, 7, 0, 5, 5);",
            "!done && e == 1 && x == 1",
            "done",
        ),
        (
            "int x = 1, e = 1; while (!__atomic_compare_exchange_n(&x, &e, 7, 0, 5, 5)) ;",
            "x == 7",
            "x == 1",
        ),
        (
            "struct flag f = { 0 }; _Bool was = __atomic_test_and_set(&f, 5);",
            "!was && f.set",
            "was",
        ),
        (
            "int a = 1, *p = 0, *e = 0; _Bool done = __sync_bool_compare_and_swap(&p, e, &a);",
            "done && *p == 1",
            "p == 0",
        ),
    ] {
        check(before, body, right, wrong);
    }
}
