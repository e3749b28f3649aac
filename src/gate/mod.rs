//! The gate: a result of an engine passes only after the checker has accepted it.
//!
//! - `certificate`: checks the certificates of verdicts against the system as it was read.
//! - `admission`: checks that invariants without a verdict are inductive.
//! - `needed`: what a proof needs of a model.
//! - `repetitions`: refutations in which each fact is derived once.
//! - `way_back`: takes certificates back through the passes of preprocessing, and finds the pass
//!   that is to blame for a wrong one.
//! - `panic`: turns a panic of an engine, a pass or the checker into an answer.
//!
//! Invariant: no verdict passes whose certificate was refused.

mod admission;
mod certificate;
mod needed;
mod panic;
mod repetitions;
mod way_back;

/// The client in whose name queries about certificates and invariants are counted.
pub(crate) const CLIENT: &str = "check";

pub use admission::{admit, strengthened};
pub use certificate::{Check, CheckMode, CrossChecks, Gate, Judgement};
pub use needed::{Needed, needed};
pub(crate) use panic::{guarded, panic_message};
