//! Exact numbers: [`Rational`], and [`DeltaRational`] for strict bounds.
//!
//! Most numbers of a Horn system and of the simplex tableaux made from it are small, so a [`Rational`] keeps numerator
//! and denominator in 64 bits each and works on them through 128-bit intermediates, without allocating. What does not
//! fit goes to `num-rational`; what fits again comes back. The representation is canonical, so equality and hashing
//! are structural, and an operation never gives a rounded or wrapped result.
//!
//! Missing: any approximation (floating point, intervals) and algebraic numbers.

mod arith;
mod delta;
mod integer;
mod parse;
mod rational;

pub use delta::DeltaRational;
pub use rational::Rational;
