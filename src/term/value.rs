//! Ground values.

use crate::number::Rational;

/// A value of a sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Of `Bool`.
    Bool(bool),
    /// Of `Int`, then integral, or `Real`.
    Number(Rational),
}
