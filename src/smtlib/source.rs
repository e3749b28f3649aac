//! Input text, positions in it, and how a position is shown to the user.
//!
//! A [`Source`] is one input with a name; a [`Span`] is a range of its bytes, at most 4 GiB.
//! [`Source::render`] draws the offending line with a caret below it, in the manner of compilers;
//! very long lines (front ends write clauses of several hundred kilobytes on one line) are clipped
//! around the caret. The crates `ariadne` and `miette` are not used: they print whole lines, and
//! messages here have neither colours nor several labels. Columns count characters, not bytes, from
//! 1; a tab counts as one column and is drawn as one blank.

use crate::chc::Span;
use std::fmt::Write as _;
use std::io::{self, Read as _};

/// A place in an input as users count: line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One input: its name and its text.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    /// The number of lines of the input that come before the text.
    lines_before: u32,
    /// The part of the text that is the input, where it is wrapped into a command.
    wrapped: Option<Span>,
    /// Whether bytes that are not UTF-8 follow the text (which then holds only what precedes them).
    broken_tail: bool,
}

/// How many characters of a line are shown at most on either side of the caret.
const CLIP: usize = 60;

impl Source {
    /// An input with a name for messages (a path, or `<stdin>`) and its bytes. Bytes that are not
    /// UTF-8 end the text; [`Source::is_broken`] tells so. Text beyond 4 GiB is cut off in the same
    /// way.
    pub fn new(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        let (mut text, mut broken_tail) = match String::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let mut bytes = error.into_bytes();
                bytes.truncate(valid);
                (String::from_utf8(bytes).expect("valid up to here"), true)
            }
        };
        if text.len() > u32::MAX as usize {
            text.truncate(char_boundary(&text, u32::MAX as usize));
            broken_tail = true;
        }
        Source {
            name: name.into(),
            text,
            lines_before: 0,
            wrapped: None,
            broken_tail,
        }
    }

    /// The source as a part of an input with `lines` lines before it.
    pub fn after_lines(mut self, lines: u32) -> Self {
        self.lines_before = lines;
        self
    }

    /// Reads a file, or standard input to its end if the path is `-`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &str) -> io::Result<Self> {
        if path == "-" {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            return Ok(Source::new("<stdin>", bytes));
        }
        Ok(Source::new(path, std::fs::read(path)?))
    }

    /// An input from a string in memory.
    pub fn from_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source::new(name, text.into().into_bytes())
    }

    /// A term as an input, for [`Reader::only_term`](super::Reader::only_term).
    pub fn of_term(name: impl Into<String>, text: &str) -> Self {
        Source::wrapped(name, "(get-value (", text, "\n))")
    }

    /// A sort as an input, for [`Reader::only_sort`](super::Reader::only_sort).
    pub fn of_sort(name: impl Into<String>, text: &str) -> Self {
        Source::wrapped(name, "(declare-const sort ", text, "\n)")
    }

    /// An input inside of a command. Places are those in the input.
    fn wrapped(name: impl Into<String>, before: &str, text: &str, after: &str) -> Self {
        let mut source = Source::from_text(name, format!("{before}\n{text}{after}"));
        let start = saturate(before.len() + 1);
        source.wrapped = Some(Span::new(start, start.saturating_add(saturate(text.len()))));
        source
    }

    /// The part of the text that is the input.
    pub(super) fn body(&self) -> Span {
        self.wrapped
            .unwrap_or(Span::new(0, saturate(self.text.len())))
    }

    /// The name given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text, up to the first byte that is not UTF-8.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there was more input, which is not UTF-8 (or lies beyond 4 GiB).
    pub fn is_broken(&self) -> bool {
        self.broken_tail
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte offset. Costs a scan of the text before it.
    pub fn position(&self, offset: u32) -> Position {
        let body = self.body();
        let offset = offset.clamp(body.start, body.end);
        let before = &self.text[..char_boundary(&self.text, offset as usize)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before[line_start..]
            .trim_start_matches('\u{feff}')
            .chars()
            .count()
            + 1;
        Position {
            line: saturate(line - usize::from(self.wrapped.is_some()))
                .saturating_add(self.lines_before),
            column: saturate(column),
        }
    }

    /// The lines below an error message: place, source line, and carets under `span`, for example
    ///
    /// ```text
    ///  --> file.smt2:3:12
    ///   |
    /// 3 | (assert (> x true))
    ///   |              ^^^^
    /// ```
    ///
    /// Of a span over several lines, the first line is underlined.
    pub fn render(&self, span: Span) -> String {
        let position = self.position(span.start);
        let body = self.body();
        let span = Span::new(
            span.start.clamp(body.start, body.end),
            span.end.clamp(body.start, body.end),
        );
        let start = char_boundary(&self.text, span.start as usize);
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[start..]
            .find('\n')
            .map_or(self.text.len(), |at| start + at);
        let end = char_boundary(&self.text, span.end as usize).clamp(start, line_end);

        let before: Vec<char> = shown(&self.text[line_start..start]);
        let mut marked: Vec<char> = shown(&self.text[start..end]);
        let after: Vec<char> = shown(&self.text[end..line_end]);
        let mut line = String::new();
        let clipped = before.len().saturating_sub(CLIP);
        if clipped > 0 {
            line.push('…');
        }
        line.extend(&before[clipped..]);
        let indent = line.chars().count();
        let cut = marked.len() > CLIP;
        marked.truncate(CLIP);
        let carets = marked.len().max(1);
        line.extend(&marked);
        if cut || after.len() > CLIP {
            line.extend(if cut { [].iter() } else { after[..CLIP].iter() });
            line.push('…');
        } else {
            line.extend(&after);
        }

        let number = position.line.to_string();
        let gutter = " ".repeat(number.len());
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{gutter}--> {}:{position}", self.name);
        let _ = writeln!(out, "{gutter} |");
        let _ = writeln!(out, "{number} | {}", line.trim_end());
        let _ = writeln!(
            out,
            "{gutter} | {}{}",
            " ".repeat(indent),
            "^".repeat(carets)
        );
        out
    }
}

/// The characters of a piece of a line as they are drawn: one column each.
fn shown(text: &str) -> Vec<char> {
    let drawn = |c: char| if c == '\t' { ' ' } else { '\u{fffd}' };
    text.trim_end_matches('\r')
        .trim_start_matches('\u{feff}')
        .chars()
        .map(|c| if c.is_control() { drawn(c) } else { c })
        .collect()
}

/// The last boundary between characters at or before `offset`.
fn char_boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A count as 32 bits; inputs are shorter than that.
fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, marked: &str, expected: &str) {
        let source = Source::from_text("t.smt2", text);
        let start = text.find(marked).expect("the marked text occurs") as u32;
        let drawn = source.render(Span::new(start, start + marked.len() as u32));
        assert_eq!(drawn.trim_end(), expected.trim_end());
    }

    #[test]
    fn carets_stand_below_the_text() {
        check(
            "a\nb cc d\n",
            "cc",
            " --> t.smt2:2:3\n  |\n2 | b cc d\n  |   ^^\n",
        );
        check("\tx\r\n", "x", " --> t.smt2:1:2\n  |\n1 |  x\n  |  ^\n");
        check(
            "é|ü| z",
            "z",
            " --> t.smt2:1:6\n  |\n1 | é|ü| z\n  |      ^\n",
        );
        check("(a\nb)", "(a\nb)", " --> t.smt2:1:1\n  |\n1 | (a\n  | ^^\n");
        let part = Source::from_text("t", "a\nb").after_lines(98);
        let drawn = part.render(Span::new(2, 3));
        assert_eq!(drawn, "   --> t:100:1\n    |\n100 | b\n    | ^\n");
    }

    #[test]
    fn long_lines_are_clipped() {
        let text = format!("{} HERE {}", "x".repeat(100_000), "y".repeat(100_000));
        let source = Source::from_text("t", text);
        let drawn = source.render(Span::new(100_001, 100_005));
        assert!(drawn.len() < 500, "{drawn}");
        assert!(drawn.contains("HERE"));
        assert!(drawn.contains("--> t:1:100002"));
        let whole = source.render(Span::new(0, 200_000));
        assert!(whole.len() < 500, "{whole}");
    }

    #[test]
    fn invalid_bytes_end_the_text() {
        let source = Source::new("t", b"abc\xff\xfe def".to_vec());
        assert_eq!(source.text(), "abc");
        assert!(source.is_broken());
    }
}
