//! What is wrong with text that is SMT-LIB but has no meaning here.

use crate::chc::Span;

/// An error of elaboration at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElabError {
    /// What is wrong.
    pub kind: ElabErrorKind,
    /// Where.
    pub span: Span,
}

/// What is wrong.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages say what each case is")]
pub enum ElabErrorKind {
    #[error("unknown constant or function `{name}`")]
    UnknownSymbol { name: String },
    #[error("unknown sort `{name}`")]
    UnknownSort { name: String },
    #[error("`{name}` is already declared")]
    AlreadyDeclared { name: String },
    #[error("the sort `{name}` is already declared")]
    SortAlreadyDeclared { name: String },
    #[error("the sort `{name}` takes {expected}, found {found}")]
    SortArity {
        name: String,
        expected: String,
        found: usize,
    },
    #[error("`{function}` takes {expected}, found {found}")]
    Arity {
        function: String,
        expected: String,
        found: usize,
    },
    #[error("argument {position} of `{function}` has sort {found}, expected {expected}")]
    Argument {
        function: String,
        position: usize,
        expected: String,
        found: String,
    },
    #[error("{what} has sort {found}, expected {expected}")]
    Mismatch {
        what: String,
        expected: String,
        found: String,
    },
    #[error("`{name}` is a variable here, not a function")]
    NotAFunction { name: String },
    #[error("the sort of `{name}` is not determined: write (as {name} SORT)")]
    Undetermined { name: String },
    #[error("{0}")]
    Index(String),
    #[error("{0}")]
    Datatype(String),
    #[error("{0}")]
    Match(String),
    #[error("a variable is bound twice here: `{name}`")]
    BoundTwice { name: String },
    #[error("not supported: {0}")]
    NotSupported(String),
    #[error("{0}")]
    Command(String),
}

impl ElabErrorKind {
    /// The error at a place.
    pub(crate) fn at(self, span: Span) -> ElabError {
        ElabError { kind: self, span }
    }
}
