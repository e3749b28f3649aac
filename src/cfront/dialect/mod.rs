//! Words of GNU C, of older and of newer standards that the parser does not know, put into words
//! that it knows.
//!
//! | text | for the parser |
//! |---|---|
//! | `a ?: b` | `a ? __horn_same : b` |
//! | `&&label`, `goto *e;` | `__horn_label_label`, `__horn_goto(e);` |
//! | `__label__ a;` | nothing; the block's `a` has another name |
//! | `__auto_type x = e;` | `__typeof__((0,(e))) x = e;` |
//! | `_Atomic(T)` | `__typeof__(T)` |
//! | `__builtin_types_compatible_p(S, T)` | `__builtin_types_compatible_p(sizeof(S),sizeof(T))` |
//! | `sizeof (T){ … }` | `sizeof ((T){ … })` |
//! | `_Alignas(n)` of a member | `__attribute__((aligned(n)))` |
//! | `_Static_assert(e)` | `_Static_assert(e, "")` |
//! | `l: }`, `l: int x;` | `l:; }`, `l:; int x;` |
//! | `main() {` | `int main() {` |
//! | `<:`, `:>`, `<%`, `%>` | `[`, `]`, `{`, `}` |
//! | `[[…]]`, `__thread`, `asm` outside of functions | nothing |
//! | `__attribute__((…))` of a label or of an empty statement | nothing |
//! | `__int128`, `__float128` | `_Complex`, `_Float128`, which are not supported either |
//! | `a$b`, and letters beyond ASCII in names | names of letters that the parser takes |
//! | `\u00e4` and `\e` in literals | octal numbers |
//!
//! What was changed can be changed back ([`Edits::original`]): harnesses are of the program's own
//! text. Lines stay what they are, and [`Edits::before`] tells columns.

mod rules;
mod tokens;

use rules::Rules;
use std::cell::Cell;
use std::ops::Range;

/// The operand that `a ?: b` does not write.
pub(crate) const SAME: &str = "__horn_same";
/// What the name of a label begins with whose address is a value.
pub(crate) const LABEL: &str = "__horn_label_";
/// `goto *e` as a call.
pub(crate) const GOTO: &str = "__horn_goto";
/// A question about two types.
pub(crate) const COMPATIBLE: &str = "__builtin_types_compatible_p";

/// Values whose types are inferred have up to 1 MB together; beyond that, `__auto_type` is left to
/// the parser, which does not know it. The value was not tuned.
const TWICE: usize = 1 << 20;

/// A part of a text that was replaced.
#[derive(Clone, Debug)]
struct Edit {
    /// Where it is in the new text.
    at: Range<usize>,
    /// The byte of the old text at which it began.
    from: usize,
    /// What was there.
    was: String,
}

/// How a text was changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits(Vec<Edit>);

/// What a text has that is not supported: where, and what.
pub(crate) type Refused = (usize, &'static str);

/// The text of a program without comments, for the parser.
///
/// # Errors
/// It defines a function within another.
pub(crate) fn rewrite(text: &str) -> Result<(String, Edits), Refused> {
    rewrite_within(text, &Cell::new(TWICE))
}

/// As [`rewrite`], with the number of bytes that may still be written twice, for the types of
/// values.
fn rewrite_within(text: &str, room: &Cell<usize>) -> Result<(String, Edits), Refused> {
    let mut changes = Rules::new(text, room).changes()?;
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut new, mut edits) = (String::with_capacity(text.len()), Vec::new());
    let mut copied = 0;
    for (range, words) in changes {
        // Two rules may take the same text away.
        if range.start < copied {
            continue;
        }
        new.push_str(&text[copied..range.start]);
        let start = new.len();
        new.push_str(&words);
        let was = &text[range.clone()];
        new.extend(was.chars().filter(|&c| c == '\n'));
        edits.push(Edit {
            at: start..new.len(),
            from: range.start,
            was: was.to_owned(),
        });
        copied = range.end;
    }
    new.push_str(&text[copied..]);
    Ok((new, Edits(edits)))
}

impl Edits {
    /// What a part of the new text was before.
    pub(crate) fn original(&self, new: &str, part: Range<usize>) -> String {
        let first = self.0.partition_point(|edit| edit.at.start < part.start);
        let (mut old, mut copied) = (String::new(), part.start);
        for edit in &self.0[first..] {
            // What was put in at the end belongs to what follows.
            if edit.at.start >= part.end {
                break;
            }
            old.push_str(&new[copied..edit.at.start]);
            old.push_str(&edit.was);
            copied = edit.at.end.min(part.end);
        }
        old.push_str(&new[copied..part.end]);
        old
    }

    /// The byte of the old text that a byte of the new text was.
    pub(crate) fn before(&self, byte: usize) -> usize {
        let known = self.0.partition_point(|edit| edit.at.start <= byte);
        match known.checked_sub(1).map(|last| &self.0[last]) {
            None => byte,
            Some(edit) if byte < edit.at.end => edit.from,
            Some(edit) => edit.from + edit.was.len() + (byte - edit.at.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what becomes of texts, and that it can be changed back.
    #[track_caller]
    fn check(table: &[(&str, &str)]) {
        for (text, expected) in table {
            let (new, edits) = rewrite(text).expect("it is supported");
            assert_eq!(new, *expected);
            assert_eq!(edits.original(&new, 0..new.len()), *text);
            let lines = |text: &str| text.matches('\n').count();
            assert_eq!(lines(&new), lines(text));
            assert_eq!(edits.before(new.len()), text.len());
        }
    }

    #[test]
    fn expressions_are_put_into_known_words() {
        check(&[
            ("x = a ?: b;", "x = a ?__horn_same: b;"),
            ("x = a ? : b;", "x = a ?__horn_same: b;"),
            ("x = a ? b : c;", "x = a ? b : c;"),
            ("f(\"?:\");", "f(\"?:\");"),
            (
                "n = sizeof (struct s){ 1 }.x[2] + 1;",
                "n = sizeof ((struct s){ 1 }.x[2]) + 1;",
            ),
            ("n = sizeof (int) + 1;", "n = sizeof (int) + 1;"),
            (
                "if (__builtin_types_compatible_p(int (*)(int, int), T)) ;",
                "if (__builtin_types_compatible_p(sizeof(int (*)(int, int)),sizeof( T))) ;",
            ),
        ]);
    }

    #[test]
    fn labels_are_put_into_known_words() {
        check(&[
            (
                "p = &&a; goto *p[i]; b = c && d;",
                "p = __horn_label_a; __horn_goto(p[i]); b = c && d;",
            ),
            (
                "{ __label__ x; goto x; { y: x: f(x ? x : y); } } x: ;",
                "{  goto x__1; { y: x__1: f(x ? x : y); } } x: ;",
            ),
            ("{ if (a) { goto e; e: } }", "{ if (a) { goto e; e:; } }"),
            (
                "{ e: int x; f: T *y = 0; g: a = b ? c : d * e; }",
                "{ e:; int x; f:; T *y = 0; g: a = b ? c : d * e; }",
            ),
            (
                "{ a: __attribute__((unused)) x = 1; case 1: __attribute((hot)) __attribute__((b)); }",
                "{ a:  x = 1; case 1: ; }",
            ),
            (
                "{ f(); __attribute__((fallthrough)); default: __attribute__((cold)) int x; }",
                "{ f(); ; default:;  int x; }",
            ),
            (
                "{ struct s { int x : 3 __attribute__((packed)); }; a: __attribute__((unused)) }",
                "{ struct s { int x : 3 __attribute__((packed)); }; a:;  }",
            ),
            (
                "struct s { int x; __attribute__((a)) int y; }; __attribute__((b)) int z;",
                "struct s { int x; __attribute__((a)) int y; }; __attribute__((b)) int z;",
            ),
            (
                "{ case a ? b : c: T x; y = a ? (b) : c * d; default: struct s z; }",
                "{ case a ? b : c:; T x; y = a ? (b) : c * d; default:; struct s z; }",
            ),
        ]);
    }

    #[test]
    fn declarations_are_put_into_known_words() {
        check(&[
            (
                "{ __auto_type x = a ?: b; }",
                "{ __typeof__((0,(a ?__horn_same: b))) x = a ?__horn_same: b; }",
            ),
            (
                "_Atomic(int) x; _Atomic int y;",
                "__typeof__(int) x; _Atomic int y;",
            ),
            ("static __thread int x;", "static  int x;"),
            ("unsigned __int128 x;", "unsigned _Complex x;"),
            ("[[nodiscard]] int f(void);", " int f(void);"),
            (
                "_Static_assert(1); _Static_assert(f(1, 2), \"\");",
                "_Static_assert(1, \"\"); _Static_assert(f(1, 2), \"\");",
            ),
            ("asm(\n\"a\"); int x;", "\n int x;"),
            (
                "main() { return f(); } f() { }",
                "int main() { return f(); } int f() { }",
            ),
            (
                "struct s { int x; } f(void) { } enum { A } __attribute__((unused)) g() { }",
                "struct s { int x; } f(void) { } enum { A } __attribute__((unused)) g() { }",
            ),
            (
                "int f(a) int a; <% int b<:3:>; %>",
                "int f(a) int a; { int b[3]; }",
            ),
            ("int a$b, \u{e4}, \\u00e4;", "int a_dollar_b, _ue4, _u00e4;"),
        ]);
    }

    #[test]
    fn functions_within_functions_are_refused() {
        for (text, is_refused) in [
            (
                "int f(void) { int g(int x) { return x; } return g(1); }",
                true,
            ),
            (
                "int f(void) { if (x) { } while (y) { } return (T){ 1 }; }",
                false,
            ),
            (
                "int f(void) { struct s { int x; } *p; else return (T){ 1 }; }",
                false,
            ),
        ] {
            assert_eq!(rewrite(text).is_err(), is_refused, "{text}");
        }
    }

    /// What is not C is left to the parser, and a text grows by a factor at most.
    #[test]
    fn incomplete_texts_are_taken() {
        for text in [
            "sizeof (T){ 1 }.",
            "sizeof (",
            "__builtin_types_compatible_p(",
            "typeof(a,",
            "[[",
            "?:",
            "goto *",
            "__label__",
            "{ __label__ a",
            "_Alignas(",
            "struct { _Alignas(",
            "x = \"\\",
            "'\\u",
            "&&",
            "asm(",
            "f(",
            ") } ]",
            "_Static_assert(",
        ] {
            let (new, edits) = rewrite(text).expect("nothing is refused");
            assert_eq!(edits.original(&new, 0..new.len()), text);
        }
        let text = "__auto_type x = ({ ".repeat(400);
        let text = format!("{{ {text} 1; {} }}", "x; }); ".repeat(400));
        let (new, _) = rewrite(&text).expect("nothing is refused");
        assert!(new.len() < 2 * TWICE, "{}", new.len());
    }

    #[test]
    fn columns_are_those_of_the_old_text() {
        let (new, edits) = rewrite("main() { a ?: b; c; }").expect("it is supported");
        let old = |word: &str| edits.before(new.find(word).expect("it is there"));
        assert_eq!(
            (
                old("main"),
                old("a ?"),
                old("__horn"),
                old(": b"),
                old("c;")
            ),
            (0, 9, 12, 12, 17)
        );
    }
}
