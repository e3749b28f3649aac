//! The errors of an input as types, and their messages.
//!
//! A [`ReadError`] is an [`Issue`] with the place where it was found. Its `Display` is one line,
//! `file:line:column: error: …`; [`ReadError::report`] adds the source line with carets;
//! [`ReadError::smtlib_text`] is what SMT-LIB solvers print on standard output, `(error "…")`.

use super::elab::ElabErrorKind;
use super::source::{Position, Source};
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
    #[error("this command is not closed: the input ends with {}", open_parentheses(*.depth))]
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

/// A number of open parentheses in words.
fn open_parentheses(depth: u32) -> String {
    match depth {
        1 => "1 open parenthesis".to_owned(),
        _ => format!("{depth} open parentheses"),
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

/// What is wrong with an input.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Issue {
    /// It is not SMT-LIB.
    #[error(transparent)]
    Syntax(SyntaxError),
    /// It is not well sorted, or not supported.
    #[error(transparent)]
    Meaning(ElabErrorKind),
    /// It is no system of Horn clauses.
    #[error("{0}")]
    NotHorn(String),
}

impl Issue {
    /// Is it an unknown command?
    pub fn is_unknown_command(&self) -> bool {
        matches!(self, Issue::Syntax(SyntaxError::UnknownCommand { .. }))
    }

    /// May another solver find nothing wrong with the text? Then what it says counts, although this
    /// program does not know what that is.
    pub fn may_be_right(&self) -> bool {
        match self {
            Issue::Syntax(_) => !self.is_unknown_command(),
            Issue::Meaning(kind) => matches!(kind, ElabErrorKind::NotSupported(_)),
            Issue::NotHorn(_) => true,
        }
    }
}

/// An error of reading, with its place as users want to see it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}:{}: error: {}", .0.source_name, .0.position, .0.issue)]
pub struct ReadError(Box<Details>);

#[derive(Clone, Debug)]
struct Details {
    issue: Issue,
    span: Span,
    position: Position,
    source_name: String,
    excerpt: String,
}

impl ReadError {
    /// The issue at a place of a source.
    pub fn new(source: &Source, issue: Issue, span: Span) -> Self {
        ReadError(Box::new(Details {
            issue,
            span,
            position: source.position(span.start),
            source_name: source.name().to_owned(),
            excerpt: source.render(span),
        }))
    }

    /// What is wrong.
    pub fn issue(&self) -> &Issue {
        &self.0.issue
    }

    /// Where, in bytes.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Where, in lines and columns.
    pub fn position(&self) -> Position {
        self.0.position
    }

    /// Several lines for a terminal: the message, the place, and the source line with carets.
    pub fn report(&self) -> String {
        format!("error: {}\n{}", self.0.issue, self.0.excerpt)
    }

    /// The answer that SMT-LIB solvers print on standard output.
    pub fn smtlib_text(&self) -> String {
        let Position { line, column } = self.0.position;
        let message = self.0.issue.to_string().replace('"', "\"\"");
        format!("(error \"line {line} column {column}: {message}\")")
    }
}
