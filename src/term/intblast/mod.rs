//! Int-blasting \[ZIMN22, BRZ18\]: bit-vectors read as integers, and integers written as
//! bit-vectors.
//!
//! [`Integers`] takes terms over bit-vectors to terms over integers. Each variable has an integer
//! in its place, which is the variable's value in two's complement, or its unsigned value. A sum is
//! the sum of integers; where its value matters, a multiple of `2^width` is taken off it.
//! [`Words`] goes back: a term over such integers becomes a term over bit-vectors that are so wide
//! that nothing overflows.
//!
//! Invariant: both ways are exact, but for [`Integers::above`]. A formula and its translation have
//! the same truth value wherever the integers are the values of the bit-vectors. For integers that
//! are not, a translation says nothing; [`Integers::in_range`] is the formula that excludes them.
//!
//! DIVERGENCE: \[ZIMN22\] brings every result into its range at once. Here sums and multiples stay
//! as they are, with an interval that they lie in, until a comparison, a quotient or a predicate
//! needs a value. Operators that work bit by bit on two variables, and products of variables,
//! are not translated; \[BRZ18\] and \[ZIMN22\] expand them bit by bit or lazily.

mod integers;
mod interval;
mod words;

pub use integers::{Integers, Signedness};
pub use words::Words;
