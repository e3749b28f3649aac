//! How errors are drawn.

use horn::smtlib::{Source, read_system};
use horn::term::Terms;

/// Checks the report of the error of a file, but for spaces at the ends of its lines.
fn check(bytes: &[u8], expected: &str) {
    let source = Source::new("file.smt2", bytes.to_vec());
    let error = read_system(&Terms::new(), &source).expect_err("the input is wrong");
    assert!(error.to_string().starts_with("file.smt2:"), "{error}");
    let trimmed = |text: &str| {
        text.trim()
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(trimmed(&error.report()), trimmed(expected));
}

#[test]
fn places_are_marked() {
    check(
        b"(declare-fun p (Int) Bool)\n(assert (forall ((x Int))\n\t(p (> x 0))))\n",
        "
error: argument 1 of `p` has sort Bool, expected Int
 --> file.smt2:3:5
  |
3 |  (p (> x 0))))
  |     ^^^^^^^
",
    );
    check(
        b"(declare-fun p () Bool)\r\n(assert (or p\r\n  (! p :named q) (not |p|) r))\r\n",
        "
error: unknown constant or function `r`
 --> file.smt2:3:28
  |
3 |   (! p :named q) (not |p|) r))
  |                            ^
",
    );
    check(
        "(assert (= |é ü| „x“))".as_bytes(),
        "
error: stray character '„' (U+201E)
 --> file.smt2:1:18
  |
1 | (assert (= |é ü| „x“))
  |                  ^
",
    );
    check(
        b"(check-sat\n",
        "
error: this command is not closed: the input ends with 1 open parenthesis
 --> file.smt2:1:1
  |
1 | (check-sat
  | ^
",
    );
    check(
        b"(assert true)\n(assert \xff)\n",
        "
error: the input is not UTF-8 from here on
 --> file.smt2:2:9
  |
2 | (assert
  |         ^
",
    );
    check(
        b"\xef\xbb\xbf(assert (foo))",
        "
error: unexpected `)`, expected a term
 --> file.smt2:1:13
  |
1 | (assert (foo))
  |             ^
",
    );
}

#[test]
fn long_lines_are_clipped() {
    let text = format!(
        "(assert (and {} foo {}))",
        "true ".repeat(20_000),
        "true ".repeat(20_000)
    );
    check(
        text.as_bytes(),
        "
error: unknown constant or function `foo`
 --> file.smt2:1:100015
  |
1 | …rue true true true true true true true true true true true  foo true true true true true true true true true true true true…
  |                                                              ^^^
",
    );
}
