//! Exact numbers: [`Rational`], and [`DeltaRational`] for strict bounds.
//!
//! Most numbers of a Horn system and of its simplex tableaux are small. A [`Rational`] keeps
//! numerator and denominator in 64 bits each and computes with 128-bit intermediates, without
//! allocation. Larger results go to `num-rational` and come back when they fit again. The
//! representation is canonical, so equality and hashing are structural. No operation rounds or
//! wraps.
//!
//! [`howell`] solves linear equations modulo a power of two. [`scrambled`] is no arithmetic: it
//! gives numbers of 64 bits that look random.
//!
//! Missing: any approximation (floating point, intervals) and algebraic numbers.

mod arith;
mod delta;
pub mod howell;
mod integer;
mod parse;
mod rational;
mod scramble;

pub use delta::DeltaRational;
pub use rational::Rational;
pub use scramble::{GOLDEN, scrambled};
