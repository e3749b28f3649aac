//! What is known of a program at the end.

use super::overflow::Overflow;
use crate::cfront::{ErrorRun, Invariant};
use crate::portfolio::Stats;

/// What is known of a program.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No error can be reached.
    True {
        /// What holds at the program's loop heads and other cutpoints.
        invariants: Vec<Invariant>,
        /// Whether signed operations can overflow, which the proof assumes not to happen.
        overflow: Overflow,
    },
    /// An error can be reached, by this run.
    False(ErrorRun),
    /// Neither was shown, for this reason.
    Unknown(String),
    /// The verifier or an engine has a fault.
    Fault(String),
}

/// A verdict, and what it has cost.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The verdict.
    pub verdict: Verdict,
    /// The number of systems that were solved, or given up.
    pub questions: u32,
    /// How the last system was solved.
    pub last: Stats,
    /// The work, in ticks ([`crate::work`]).
    pub ticks: u64,
}
