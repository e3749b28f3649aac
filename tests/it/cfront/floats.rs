//! Programs with floating-point numbers.

use super::support::{confirmed, read, solve_text, solve_unrolled};
use horn::cfront::IntMode;

const BEFORE: &str = "extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
double fabs(double); double floor(double); double ceil(double); double trunc(double);
double round(double); double rint(double); double sqrt(double); double copysign(double, double);
double fmin(double, double); double fmax(double, double); double sin(double);
float fabsf(float); float sqrtf(float);
";

fn text_of(before: &str, body: &str) -> String {
    format!("{BEFORE}{before}\nint main(void) {{\n{body}\nreturn 0;\n}}\n")
}

/// A run to the error is one of the machine's.
#[track_caller]
fn check(before: &str, body: &str, expected: &str, ints: IntMode) {
    let text = text_of(before, body);
    let found = solve_text(&text, ints);
    if found.lacks_solver() {
        return;
    }
    assert_eq!(found.word(), expected, "{ints:?}\n{text}\n{found:?}");
    if let ("unsafe", Some(run)) = (expected, found.run())
        && confirmed(&read(&text).expect("it was read before"), run) == Some(false)
    {
        panic!("no run of the machine: {run:?}\n{text}");
    }
}

/// The condition always holds at the end of the body, and the end is reached; over the integers and
/// over bit-vectors.
#[track_caller]
fn holds(before: &str, body: &str, condition: &str) {
    for ints in [IntMode::Unbounded, IntMode::BitVector] {
        let wrong = format!("{body}\nif (!({condition})) reach_error();");
        check(before, &wrong, "safe", ints);
        let right = format!("{body}\nif ({condition}) reach_error();");
        check(before, &right, "unsafe", ints);
    }
}

#[test]
fn constants_are_rounded_to_their_formats() {
    holds("", "double x = 0.1;", "x + 0.2 != 0.3 && x + 0.2 > 0.3");
    holds("", "float x = 0.1f;", "x != 0.1 && x == 0.1f && x > 0.1");
    holds("", "double x = 0x1.8p1;", "x == 3 && 0x.8p-1f == 0.25");
    holds("", "double x = 1e400, y = 1e-400;", "x > 1e308 && y == 0");
    holds("", "float x = 16777217;", "x == 16777216.0f");
    holds(
        "",
        "double x = 3; x /= 2;",
        "x == 1.5 && sizeof(x) == 8 && sizeof(1.0f) == 4",
    );
}

#[test]
fn comparisons_know_zeros_and_nans() {
    holds(
        "",
        "double x = 0.0, y = -x;",
        "x == y && !(y < x) && 1 / x > 0 && 1 / y < 0",
    );
    holds(
        "",
        "double z = 0.0, n = z / z;",
        "n != n && !(n == n) && !(n < 1) && !(n >= 1) && (n ? 1 : 0)",
    );
    holds(
        "",
        "double x = -0.0; int r = 1; if (x) r = 0;",
        "r == 1 && !x",
    );
    holds(
        "",
        "float i = 1e38f * 10;",
        "i > 3e38f && -i < 0 && i - i != 0",
    );
}

#[test]
fn conversions_are_those_of_c() {
    holds(
        "",
        "double x = -2.75;",
        "(int)x == -2 && (unsigned char)200.9 == 200",
    );
    holds(
        "",
        "int i = 7; double x = i / 2, y = i / 2.0;",
        "x == 3 && y == 3.5",
    );
    holds(
        "",
        "int i = 5; i *= 1.5; float f = 0.5f; _Bool b = f;",
        "i == 7 && b == 1",
    );
    holds(
        "",
        "unsigned long u = -1ul; double x = u;",
        "x == 18446744073709551616.0",
    );
    holds(
        "",
        "long l = 9007199254740993l; double x = l;",
        "(long)x == l - 1",
    );
    holds("", "double x = 1; x++; x += 2; --x;", "x-- == 3 && x == 2");
    holds(
        "double half(double x) { return x / 2; }",
        "float f = half(3);",
        "f == 1.5f",
    );
    holds(
        "double later(double); double call(void) { return later(3); }
         double later(double x) { return x; }",
        "double x = call();",
        "x == 3",
    );
}

#[test]
fn numbers_are_in_memory() {
    holds(
        "struct p { double x; float y; int n; }; struct p g[3]; double a[4] = {1.5, 2.5};
         struct p make(double x) { struct p r; r.x = x; r.y = -x; r.n = x; return r; }
         void twice(double *p) { *p *= 2; }",
        "g[1] = make(3.75); twice(&a[1]); double *q = a;",
        "g[1].x + g[1].y == 0 && g[1].n == 3 && g[0].x == 0 && a[1] == 5 && q[0] == 1.5 && !a[3]",
    );
}

#[test]
fn inputs_are_any_numbers() {
    let nan = "double x = __VERIFIER_nondet_double(); if (x != x) reach_error();";
    let number = "float x = __VERIFIER_nondet_float(); if (x == 0.1f) reach_error();";
    let zero = "double x = __VERIFIER_nondet_double(); if (x == 0 && 1 / x < 0) reach_error();";
    let uninitialised = "double x; if (x > 1.25 && x < 1.5) reach_error();";
    for ints in [IntMode::Unbounded, IntMode::BitVector] {
        check("", nan, "unsafe", ints);
        check("", number, "unsafe", ints);
        check("", uninitialised, "unsafe", ints);
    }
    check("", zero, "unsafe", IntMode::BitVector);
    check("", zero, "doubtful", IntMode::Unbounded);
}

#[test]
fn bounds_of_results_are_known_over_the_integers() {
    let bounded = "double x = __VERIFIER_nondet_double(); __VERIFIER_assume(x >= 0 && x <= 100);\n";
    for (body, condition) in [
        ("double y = x * 0.5;", "y <= x && y >= 0 && y <= 50"),
        ("double y = x + 1;", "y >= x && y <= 101"),
        ("double y = x / 3 - x;", "y <= 0 || y >= -100"),
        ("int n = x;", "n >= 0 && n <= 100"),
        ("double y = fabs(x - 50);", "y >= 0 && y <= 50"),
    ] {
        let body = format!("{bounded}{body}\nif (!({condition})) reach_error();");
        check("", &body, "safe", IntMode::Unbounded);
    }
    let climb = "double x = 0; while (x < 100) x += 0.1; if (x > 101) reach_error();";
    check("", climb, "safe", IntMode::Unbounded);
    let there = "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= -500 && n <= 500);
                 double x = n; if ((int)x != n || (int)(x / 1) * 0 != 0) reach_error();";
    check("", there, "safe", IntMode::Unbounded);
}

#[test]
fn operations_are_exact_over_bit_vectors() {
    let bits = IntMode::BitVector;
    let two = "float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
               __VERIFIER_assume(x > 1 && x < 2 && y > 3 && y < 100);\n";
    check(
        "",
        &format!("{two}if (x + y == 7.25f && y == 5.5f) reach_error();"),
        "unsafe",
        bits,
    );
    check(
        "",
        &format!("{two}if (x + y <= x) reach_error();"),
        "safe",
        bits,
    );
    let one = "float x = __VERIFIER_nondet_float(); __VERIFIER_assume(x >= 1 && x <= 4);\n";
    check(
        "",
        &format!("{one}if (x * 3 == 6.75f) reach_error();"),
        "unsafe",
        bits,
    );
    check(
        "",
        &format!("{one}if ((int)x > 2 && x < 3) reach_error();"),
        "safe",
        bits,
    );
    let integer =
        "int n = __VERIFIER_nondet_int(); float f = n; if (f == 16777216 && n & 1) reach_error();";
    check("", integer, "unsafe", bits);
}

#[test]
fn functions_of_math_are_those_of_the_library() {
    holds(
        "",
        "double x = -2.5;",
        "floor(x) == -3 && ceil(x) == -2 && trunc(x) == -2",
    );
    holds(
        "",
        "double x = 2.5;",
        "round(x) == 3 && rint(x) == 2 && round(-x) == -3",
    );
    holds(
        "",
        "double x = -4;",
        "fabs(x) == 4 && sqrt(-x) == 2 && sqrt(x) != sqrt(x)",
    );
    holds(
        "",
        "float x = 2;",
        "fabsf(-x) == 2 && sqrtf(x) > 1.4142f && sqrtf(x) < 1.4143f",
    );
    holds(
        "",
        "double z = 0, n = z / z;",
        "fmin(n, 1) == 1 && fmax(2, n) == 2 && fmax(1, 2) == 2",
    );
    holds(
        "",
        "double x = copysign(3, -0.5);",
        "x == -3 && __builtin_signbit(x)",
    );
    holds(
        "",
        "double i = __builtin_inf();",
        "__builtin_isinf_sign(-i) == -1 && __builtin_isnan(i - i) && !__builtin_isfinite(i) \
         && __builtin_fpclassify(0, 1, 2, 3, 4, 0.0) == 4 && i == __builtin_huge_val()",
    );
    // What has no model is any number.
    let sine = "double x = sin(0.5); if (x > 0) reach_error();";
    check("", sine, "doubtful", IntMode::Unbounded);
    check(
        "",
        "double x = sin(0.5); if (x < x) reach_error();",
        "safe",
        IntMode::Unbounded,
    );
}

#[test]
fn the_sign_of_a_nan_is_open() {
    let body = "double z = 0, n = z / z; if (__builtin_signbit(n)) reach_error();";
    check("", body, "doubtful", IntMode::Unbounded);
    check("", body, "doubtful", IntMode::BitVector);
}

#[test]
fn other_formats_are_not_supported() {
    for body in [
        "long double x = 1.0L; if (x > 0) reach_error();",
        "float f = 1; if (*(int *)&f) reach_error();",
        "double a[2] = {0}; __builtin_memset(a, 1, sizeof a); if (a[0] > 0) reach_error();",
    ] {
        check("", body, "unsupported", IntMode::Unbounded);
    }
    let body = "union { float f; unsigned u; } u; u.f = 1; if (u.u) reach_error();";
    check("", body, "doubtful", IntMode::Unbounded);
}

/// A number that no integer of the type is has no meaning as one; only where C converts it.
#[test]
fn conversions_are_evaluated_where_c_does() {
    let body = "double x = __VERIFIER_nondet_double();
                if (x > 1e300 || (int)x == 3) { if (x > 2e300) reach_error(); }";
    check("", body, "unsafe", IntMode::Unbounded);
    let body = "double x = 1e300; int n = x; if (n < 5) reach_error(); if (n > 4) reach_error();";
    check("", body, "safe", IntMode::Unbounded);
}

#[test]
fn unrolled_loops_compute_numbers() {
    for (body, expected) in [
        (
            "double x = 0; for (int i = 0; i < 10; i++) x += 0.1; if (x == 1) reach_error();",
            "safe",
        ),
        (
            "double x = 0; for (int i = 0; i < 8; i++) x += 0.125; if (x == 1) reach_error();",
            "unsafe",
        ),
        (
            "double a = 2, x = 1; for (int i = 0; i < 10; i++) x = (x + a / x) / 2; \
             if (x < 1.4142 || x > 1.4143) reach_error();",
            "safe",
        ),
    ] {
        for ints in [IntMode::Unbounded, IntMode::BitVector] {
            let text = text_of("", body);
            let found = solve_unrolled(&text, ints);
            if !found.lacks_solver() {
                assert_eq!(found.word(), expected, "{ints:?}\n{text}\n{found:?}");
            }
        }
    }
}
