//! What solvers did, counted.

use super::Outcome;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What the solvers of a back end did so far, all together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Checks that answered `Sat`.
    pub sat: u64,
    /// Checks that answered `Unsat`.
    pub unsat: u64,
    /// Checks that did not answer.
    pub unknown: u64,
    /// Time spent waiting for checks, values and cores, in all threads.
    pub time: Duration,
    /// Processes started.
    pub starts: u64,
    /// Processes that ended of themselves, or were ended because of what they said.
    pub failures: u64,
    /// Processes ended because a limit was reached.
    pub killed: u64,
    /// Processes ended to make room for others.
    pub evicted: u64,
}

impl Statistics {
    /// The number of checks.
    pub fn queries(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    /// Adds what others did.
    pub(super) fn add(&mut self, other: &Statistics) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.time += other.time;
        self.starts += other.starts;
        self.failures += other.failures;
        self.killed += other.killed;
        self.evicted += other.evicted;
    }
}

/// Counters that threads share.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) sat: AtomicU64,
    pub(super) unsat: AtomicU64,
    pub(super) unknown: AtomicU64,
    pub(super) nanoseconds: AtomicU64,
    pub(super) starts: AtomicU64,
    pub(super) failures: AtomicU64,
    pub(super) killed: AtomicU64,
    pub(super) evicted: AtomicU64,
}

impl Counters {
    /// Counts one more.
    pub(super) fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts an answer.
    pub(super) fn add_outcome(&self, outcome: &Outcome) {
        Self::add(match outcome {
            Outcome::Sat => &self.sat,
            Outcome::Unsat => &self.unsat,
            Outcome::Unknown(_) => &self.unknown,
        });
    }

    /// Counts time.
    pub(super) fn add_time(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// The counts now.
    pub(super) fn read(&self) -> Statistics {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Statistics {
            sat: get(&self.sat),
            unsat: get(&self.unsat),
            unknown: get(&self.unknown),
            time: Duration::from_nanos(get(&self.nanoseconds)),
            starts: get(&self.starts),
            failures: get(&self.failures),
            killed: get(&self.killed),
            evicted: get(&self.evicted),
        }
    }
}
