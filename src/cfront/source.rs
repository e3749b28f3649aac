//! C text made ready for the parser, and where its bytes come from.
//!
//! The file went through the preprocessor where it needs one ([`super::file`]), whose line markers
//! are kept for messages. Comments and directives are blanked out. What the parser does not know is
//! put into other words ([`super::dialect`]), which moves the columns of the text; places are those
//! of the file. `#line` in the file itself is ignored: people look for the lines
//! of the file that they have, not of one that it was made from.

use super::attributes::{Packing, Packings};
use super::dialect::{Edits, rewrite};
use super::lex::end_of_quoted;
use super::pragma::pack_arguments;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// A place in a C file: line and column from 1.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: Rc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.column)
    }
}

/// Why a program cannot be encoded at all.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CError {
    /// The C preprocessor is needed and cannot be run, or fails.
    #[error("{file}: error: {message}")]
    Preprocessor {
        /// The program.
        file: String,
        /// What happened.
        message: String,
    },
    /// The text is not C, or nests too deeply.
    #[error("{place:?}: error: {message}")]
    Syntax {
        /// Where.
        place: Place,
        /// What was expected.
        message: String,
    },
    /// The program is C and makes no sense: an unknown name, a missing definition.
    #[error("{place:?}: error: {message}")]
    Meaning {
        /// Where.
        place: Place,
        /// What is wrong.
        message: String,
    },
    /// The property is none that is supported.
    #[error("property: {0}")]
    Property(String),
}

/// Brackets and chains of `else` nest to this depth at most: the parser recurses. The value was not
/// tuned.
const DEPTH: usize = 4000;

/// C text without comments and directives.
pub(crate) struct CText {
    /// The text.
    pub(crate) text: String,
    /// For each line of the text: its first byte, its file and its number there.
    lines: Vec<(usize, Rc<str>, u32)>,
    /// How it was changed for the parser.
    edits: Edits,
    /// How its structures lie in memory.
    packings: Packings,
}

impl CText {
    /// The text of a preprocessor's output, with line markers.
    pub(super) fn of_preprocessed(name: &str, text: &str) -> Result<Self, CError> {
        let text = blank(text, false);
        match rewrite(&text) {
            Ok((text, edits)) => Ok(CText::of_rewritten(name, &text, edits)),
            Err((at, message)) => Err(CError::Syntax {
                place: CText::of_rewritten(name, &text, Edits::default()).place(at),
                message: message.to_owned(),
            }),
        }
    }

    /// The text for the parser, with line markers.
    fn of_rewritten(name: &str, text: &str, edits: Edits) -> Self {
        let own: Rc<str> = name.into();
        let (mut file, mut line) = (own.clone(), 1);
        let (mut lines, mut out) = (Vec::new(), String::with_capacity(text.len()));
        for part in text.split_inclusive('\n') {
            let start = out.len();
            if let Some((number, marked)) = line_marker(part) {
                line = number;
                file = if marked == "<stdin>" {
                    own.clone()
                } else {
                    marked.into()
                };
                lines.push((start, file.clone(), line));
                out.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
                continue;
            }
            lines.push((start, file.clone(), line));
            let directive = part.trim_start().strip_prefix('#');
            if directive.is_some_and(|line| pack_arguments(line).is_none()) {
                out.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            } else {
                out.push_str(part);
            }
            line += 1;
        }
        if lines.is_empty() {
            lines.push((0, own, 1));
        }
        let packings = Packings::of(&out);
        CText {
            text: out,
            lines,
            edits,
            packings,
        }
    }

    /// What a part of the text was before it was changed for the parser.
    pub(crate) fn original(&self, part: Range<usize>) -> String {
        self.edits.original(&self.text, part)
    }

    /// The text, and how it was changed for the parser.
    pub(super) fn into_text(self) -> (String, Edits) {
        (self.text, self.edits)
    }

    /// The text without what the parser does not know.
    pub(crate) fn for_parser(&self) -> String {
        let mut text = self.text.clone().into_bytes();
        for range in &self.packings.hidden {
            for byte in &mut text[range.clone()] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        String::from_utf8(text).expect("whole characters became blanks")
    }

    /// What attributes and pragmas say of the structure whose first word begins at this byte.
    pub(crate) fn packing(&self, offset: usize) -> Packing {
        self.packings.at.get(&offset).copied().unwrap_or_default()
    }

    /// Where a byte of the text comes from.
    pub(crate) fn place(&self, offset: usize) -> Place {
        let at = self.lines.partition_point(|line| line.0 <= offset).max(1) - 1;
        let (start, file, line) = &self.lines[at];
        let before = |byte| self.edits.before(byte);
        let column = before(offset).saturating_sub(before(*start)) + 1;
        Place {
            file: file.clone(),
            line: *line,
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// Are brackets nested at most [`DEPTH`] deep?
    pub(crate) fn check_depth(&self) -> Result<(), CError> {
        too_deep(&self.text).map_or(Ok(()), |at| {
            Err(CError::Syntax {
                place: self.place(at),
                message: format!("brackets nest deeper than {DEPTH}"),
            })
        })
    }
}

/// Where brackets first nest deeper than [`DEPTH`].
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut escaped = false;
    text.bytes().position(|byte| {
        match (quote, byte) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEPTH
    })
}

/// `# 12 "file"` as line and file.
fn line_marker(line: &str) -> Option<(u32, String)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let (number, rest) = rest.split_once(' ')?;
    let name = rest.trim_start().strip_prefix('"')?;
    Some((number.parse().ok()?, name.split_once('"')?.0.to_owned()))
}

/// Is there anything that only a preprocessor understands?
pub(super) fn needs_preprocessor(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_directive = |line: &str| {
        let Some(rest) = line.trim_start().strip_prefix('#') else {
            return false;
        };
        let word = rest.trim_start();
        ["include", "define", "if", "undef", "el", "error"]
            .iter()
            .any(|d| word.starts_with(d))
    };
    words.any(is_own_macro) || text.lines().any(is_directive)
}

/// Is a word the name of a macro that the compiler defines, such as `__LINE__`?
fn is_own_macro(word: &str) -> bool {
    let name = word.strip_prefix("__").and_then(|w| w.strip_suffix("__"));
    let is_upper = |name: &str| {
        let is_part = |c: char| !c.is_ascii_lowercase();
        name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(is_part)
    };
    name.is_some_and(is_upper) && !matches!(word, "__FUNCTION__" | "__PRETTY_FUNCTION__")
}

/// The text of a file. Bytes that are no UTF-8, as of other encodings, are octal escapes in
/// literals, where a compiler takes them as they are. Elsewhere they only stand in comments.
pub(super) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    // A question mark ends no literal.
    let (mut marked, mut strange) = (String::new(), Vec::new());
    for chunk in bytes.utf8_chunks() {
        marked.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            strange.push((marked.len(), byte));
            marked.push('?');
        }
    }
    let literals = literals(&blank(&marked, false));
    let (mut text, mut done) = (String::with_capacity(bytes.len()), 0);
    for (at, byte) in strange {
        text.push_str(&marked[done..at]);
        done = at + 1;
        let next = literals.partition_point(|literal| literal.end <= at);
        match literals
            .get(next)
            .is_some_and(|literal| literal.contains(&at))
        {
            true => text.push_str(&format!("\\{byte:03o}")),
            false => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
    text.push_str(&marked[done..]);
    Cow::Owned(text)
}

/// Where the literals of a text without comments are.
fn literals(text: &str) -> Vec<Range<usize>> {
    let (bytes, mut at, mut found) = (text.as_bytes(), 0, Vec::new());
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at = match byte {
            b'"' | b'\'' => end_of_quoted(bytes, at, byte),
            _ => at + 1,
        };
        if at > start + 1 {
            found.push(start..at);
        }
    }
    found
}

/// The end of the line that a byte of a text is in; a backslash at the end of a line joins it with
/// the next.
fn end_of_line(text: &str, mut at: usize) -> usize {
    while let Some(length) = text[at..].find('\n') {
        let end = at + length;
        let line = text[at..end].trim_end_matches('\r');
        if !line.ends_with('\\') {
            return end;
        }
        at = end + 1;
    }
    text.len()
}

/// Does a pragma put a macro aside, or bring it back?
fn keeps_macro(directive: &str) -> bool {
    let pragma = directive.trim_start_matches("pragma").trim_start();
    pragma.starts_with("push_macro") || pragma.starts_with("pop_macro")
}

/// The text without comments and, where `directives` is set, without `#line` and `#pragma`: all
/// blanked, lines kept.
pub(super) fn blank(text: &str, directives: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'*') => text[at + 2..]
                .find("*/")
                .map_or(bytes.len(), |n| at + n + 4),
            b'/' if bytes.get(at + 1) == Some(&b'/') => end_of_line(text, at),
            quote @ (b'"' | b'\'') => {
                at = end_of_quoted(bytes, at, quote);
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    // Whole characters were replaced by blanks.
    let out = String::from_utf8(out).expect("text with blanks");
    if !directives {
        return out;
    }
    let mut kept = String::with_capacity(out.len());
    for line in out.split_inclusive('\n') {
        let word = line.trim_start().strip_prefix('#').map(str::trim_start);
        let drop = word.is_some_and(|w| {
            w.starts_with("line")
                || (w.starts_with("pragma") && pack_arguments(w).is_none() && !keeps_macro(w))
                || w.starts_with("ident")
                || w.starts_with(|c: char| c.is_ascii_digit())
        });
        if drop {
            kept.extend(line.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        } else {
            kept.push_str(line);
        }
    }
    kept
}
