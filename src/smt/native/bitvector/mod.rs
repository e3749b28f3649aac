//! Bit-vectors as words of literals: circuits for their operators \[KS16\].
//!
//! A word has a literal for each bit, the least significant first. A circuit is made of gates
//! ([`Gate`]) by a [`Circuit`], which simplifies each gate before it is made. So constants need no
//! circuits: a shift by a constant only moves literals, and a product with a constant has an
//! addition or a subtraction for each of its signed digits that is not zero.
//!
//! - `gates`: simplification, and the clauses of a gate;
//! - `arithmetic`: sums, products, orders;
//! - `division`: quotients and remainders, without and with signs;
//! - `shifts`: shifts by a word;
//! - `operators`: the operators of SMT-LIB.
//!
//! The checker of proofs has these circuits again, in `check::circuits`: both must build the same
//! gates from the same term, up to the order of inputs.
//!
//! Missing: circuits that are smaller for squares.

mod arithmetic;
mod division;
mod gates;
mod operators;
mod shifts;

use super::literal::Lit;

pub(super) use super::proof::Gate;
pub(super) use gates::{Circuit, clauses};
pub(super) use operators::{predicate, word};

/// The literals of a bit-vector, the least significant bit first.
pub(super) type Word = Vec<Lit>;
