//! What can be wrong with an input, as types, and how it is told.
//!
//! A [`ReadError`] is an [`Issue`] with the place where it was found. Its `Display` is one line, `file:line:column:
//! error: …`; [`ReadError::report`] adds the source line with carets; [`ReadError::smtlib_text`] is what SMT-LIB solvers
//! print on standard output, `(error "…")`.

use crate::chc::Span;

/// Text that is not SMT-LIB.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages say what each case is")]
pub enum SyntaxError {
    #[error("this quoted symbol is not closed: the second '|' is missing")]
    UnterminatedSymbol { span: Span },
    #[error("this string is not closed: the final '\"' is missing")]
    UnterminatedString { span: Span },
    #[error("a quoted symbol cannot contain {}", named(*.character, false))]
    CharacterInSymbol { character: char, span: Span },
    #[error("stray character {}", named(*.character, true))]
    StrayCharacter { character: char, span: Span },
    #[error("malformed literal `{text}`")]
    MalformedLiteral { text: String, span: Span },
    #[error("the input is not UTF-8 from here on")]
    NotUtf8 { span: Span },
    #[error("this command is not closed: the input ends with {depth} parentheses open")]
    Unclosed { depth: u32, span: Span },
    #[error("expected a command, which starts with '(', found `{found}`")]
    NoCommand { found: String, span: Span },
    #[error("unknown command `{name}`")]
    UnknownCommand { name: String, span: Span },
    #[error("unexpected {found}, expected {expected}")]
    Unexpected {
        found: String,
        expected: String,
        span: Span,
    },
}

impl SyntaxError {
    /// Where it is.
    pub fn span(&self) -> Span {
        match self {
            SyntaxError::UnterminatedSymbol { span }
            | SyntaxError::UnterminatedString { span }
            | SyntaxError::CharacterInSymbol { span, .. }
            | SyntaxError::StrayCharacter { span, .. }
            | SyntaxError::MalformedLiteral { span, .. }
            | SyntaxError::NotUtf8 { span }
            | SyntaxError::Unclosed { span, .. }
            | SyntaxError::NoCommand { span, .. }
            | SyntaxError::UnknownCommand { span, .. }
            | SyntaxError::Unexpected { span, .. } => *span,
        }
    }
}

/// A character as messages show it: the character where it is visible, and its code.
fn named(character: char, with_code: bool) -> String {
    let visible = !character.is_control() && !character.is_whitespace() && character != '\u{feff}';
    match (visible, with_code) {
        (true, true) => format!("'{character}' (U+{:04X})", u32::from(character)),
        (true, false) => format!("'{character}'"),
        (false, _) => format!("U+{:04X}", u32::from(character)),
    }
}
