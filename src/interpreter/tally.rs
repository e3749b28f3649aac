//! What a script did, counted and timed.

use crate::smt::{Failure, SatResult};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Counts of a script, for statistics.
#[derive(Clone, Debug)]
pub struct Tally {
    started: Instant,
    /// Time spent in solvers.
    pub solving: Duration,
    /// Checks that answered `sat`.
    pub sat: u64,
    /// Checks that answered `unsat`.
    pub unsat: u64,
    /// Checks that did not answer.
    pub unknown: u64,
    /// Why checks were not decided, and how many for each reason.
    pub reasons: BTreeMap<String, u64>,
}

impl Tally {
    /// A script begins.
    pub(super) fn start() -> Self {
        Tally {
            started: Instant::now(),
            solving: Duration::ZERO,
            sat: 0,
            unsat: 0,
            unknown: 0,
            reasons: BTreeMap::new(),
        }
    }

    /// Asks a solver something, and counts the time.
    pub(super) fn time<R>(&mut self, ask: impl FnOnce() -> R) -> R {
        let begun = Instant::now();
        let answer = ask();
        self.solving += begun.elapsed();
        answer
    }

    /// Counts an answer.
    pub(super) fn count(&mut self, outcome: &SatResult) {
        match outcome {
            SatResult::Sat => self.sat += 1,
            SatResult::Unsat => self.unsat += 1,
            SatResult::Unknown(why) => {
                self.unknown += 1;
                *self.reasons.entry(reason(why)).or_default() += 1;
            }
        }
    }

    /// The number of checks.
    pub fn checks(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    /// The time since the script began.
    pub fn total(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A reason without what is different from check to check.
fn reason(why: &Failure) -> String {
    match why {
        Failure::Broken(_) => "the solver failed".to_owned(),
        other => other.to_string(),
    }
}
