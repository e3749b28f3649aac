//! The gate: nothing that an engine found is passed on before the checker has accepted it.
//!
//! - `certificate`: certificates of verdicts, against the system as it was read;
//! - `admission`: invariants without a verdict, which must be inductive;
//! - `way_back`: certificates taken back through the passes of preprocessing, and which pass is to blame for a wrong one;
//! - `panic`: a panic of an engine, a pass or the checker becomes an answer.
//!
//! Invariant: no verdict passes whose certificate was refused.

mod admission;
mod certificate;
mod panic;
mod way_back;

pub use admission::admit;
pub use certificate::{Check, CheckMode, CrossChecks, Gate, Judgement};
pub(crate) use panic::{guarded, panic_message};
