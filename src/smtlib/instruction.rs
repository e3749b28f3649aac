//! The instructions that a command's terms are read into.

use crate::term::Symbol;

/// A range of one of the tables of an [`Ast`](super::ast::Ast).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Range {
    /// The first index.
    pub start: u32,
    /// One past the last index.
    pub end: u32,
}

impl Range {
    /// The range as indices.
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many elements the range has.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the range has no elements.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// One instruction of a term's code. Counts and table indices are 32 bits; inputs are shorter than
/// 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `42`; the digits are the text of the span.
    Numeral,
    /// `4.2`
    Decimal,
    /// `#xf0`
    Hexadecimal,
    /// `#b01`
    Binary,
    /// A string literal.
    Text,
    /// A symbol alone.
    Constant(Symbol),
    /// A symbol applied to this number of arguments.
    Apply(Symbol, u32),
    /// `(_ f 1)` or `(as f S)` alone: an index into
    /// [`Ast::identifiers`](super::ast::Ast::identifiers).
    QualifiedConstant(u32),
    /// A qualified identifier applied to this number of arguments.
    QualifiedApply(u32, u32),
    /// Takes the values of a `let`'s bindings (a range of [`Ast::names`](super::ast::Ast::names))
    /// and opens their scope.
    LetEnter(Range),
    /// Closes the scope of a `let`.
    LetExit,
    /// Opens the scope of a quantifier's variables (a range of
    /// [`Ast::variables`](super::ast::Ast::variables)).
    QuantifierEnter(Quantifier, Range),
    /// Closes the scope and quantifies the value.
    QuantifierExit,
    /// Takes the value that a `match` inspects.
    MatchEnter,
    /// Opens the scope of a case: an index into [`Ast::patterns`](super::ast::Ast::patterns).
    CaseEnter(u32),
    /// Closes the scope of a case.
    CaseExit,
    /// Takes the values of this number of cases.
    MatchExit(u32),
    /// Attributes (a range of [`Ast::attributes`](super::ast::Ast::attributes)) of the value
    /// before.
    Annotate(Range),
}

/// `forall` or `exists`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
}
