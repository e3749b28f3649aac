//! What is no program is reported at its place.

use super::support::read;
use horn::cfront::{CProgram, DataModel};

fn check(text: &str, expected: &str) {
    match read(text) {
        Ok(_) => panic!("read all the same: {text}"),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[test]
fn errors_have_places() {
    check(
        "int main(void) {\n  return x;\n}",
        "test.c:2:10: error: `x` is not declared",
    );
    check(
        "int f(void) { return 1; }",
        "test.c:1:22: error: there is no function `main`",
    );
    check(
        "int main(void) {\n  int = 3;\n}",
        "test.c:2:7: error: unexpected `=`, expected one of ( * ;",
    );
    check(
        "int main(void) {\n  size_t n = 3;\n}",
        "test.c:2:10: error: unexpected `n`: `size_t` is not the name of a type",
    );
    check(
        "int main(void) {\n  int x = 3, y = x return y;\n}",
        "test.c:2:20: error: unexpected `return`",
    );
    check(
        "int main(void) { goto nowhere; }",
        "test.c:1:18: error: the label `nowhere` is not defined",
    );
    check(
        "int main(void) {\n\n  struct { int a; } s; return s.b;\n}",
        "test.c:3:31: error: there is no member `b`",
    );
    check(
        "int main(void) { break; }",
        "test.c:1:18: error: `break` outside of a loop and `switch`",
    );
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = format!(
        "int main(void) {{ return {}1{}; }}",
        "(".repeat(10_000),
        ")".repeat(10_000)
    );
    for deep in [deep, "struct{".repeat(200_000)] {
        let message = read(&deep).err().expect("too deep").to_string();
        assert!(message.contains("brackets nest deeper than"), "{message}");
    }
}

#[test]
fn numbers_beyond_all_bounds_are_no_fault() {
    check(
        "int a[] = {[18446744073709551615ul] = 1}; int main(void) { return 0; }",
        "test.c:1:5: error: there is no such element",
    );
    check(
        "struct __attribute__ \u{e9} s {int a;}; int main(void) { return 0; }",
        "test.c:1:22: error: unexpected `\u{e9}`, expected one of ((",
    );
    for member in [
        "char a[0x2000000000000000], b[0x2000000000000000], c; int d; long e : 3;",
        "char a __attribute__((aligned(2305843009213693952)));",
    ] {
        let text =
            format!("struct s {{ {member} }}; int main(void) {{ return sizeof(struct s) > 3; }}");
        assert!(read(&text).is_ok(), "{text}");
    }
}

#[test]
fn old_c_is_read() {
    assert!(read("main()\n{ return 0; }").is_ok());
    assert!(read("#pragma once\n#line 7 \"other.c\"\nint main(void) { return 0; } // end").is_ok());
    assert!(read("extern __inline__ int f(int) __attribute__((__nothrow__)); int main(void) { return 0; }").is_ok());
}

#[test]
fn properties_are_read() {
    let program = b"extern void bad(void); int main(void) { bad(); return 0; }";
    let read = |property: &str| CProgram::read("p.c", program, Some(property), DataModel::Ilp32);
    assert!(read("CHECK( init(main()), LTL(G ! call(bad())) )").is_ok());
    let error = read("CHECK( init(main()), LTL(G valid-free) )")
        .err()
        .expect("another property");
    assert!(
        error
            .to_string()
            .starts_with("property: only `CHECK( init(main())"),
        "{error}"
    );
}
