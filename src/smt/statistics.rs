//! What solvers did, counted.

use super::ledger::{Counts, Row};
use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the solvers of a back end did so far, all together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The queries, by client and purpose. The rows of a client follow each other.
    pub rows: Vec<Row>,
    /// What happened to processes.
    pub processes: ProcessCounts,
}

impl Statistics {
    /// The sum of all rows.
    pub fn total(&self) -> Counts {
        self.rows.iter().map(|row| row.counts).sum()
    }
}

/// How many processes of external solvers began, and ended before their contexts did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProcessCounts {
    /// Processes started.
    pub starts: u64,
    /// Processes that ended of themselves, or were ended because of what they said.
    pub failures: u64,
    /// Processes ended because a limit was reached.
    pub killed: u64,
    /// Processes ended to make room for others.
    pub evicted: u64,
}

impl Sub for ProcessCounts {
    type Output = ProcessCounts;

    fn sub(self, before: ProcessCounts) -> ProcessCounts {
        ProcessCounts {
            starts: self.starts - before.starts,
            failures: self.failures - before.failures,
            killed: self.killed - before.killed,
            evicted: self.evicted - before.evicted,
        }
    }
}

/// Counters of processes that threads share.
#[derive(Debug, Default)]
pub(super) struct Counters {
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

    /// The counts now.
    pub(super) fn read(&self) -> ProcessCounts {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        ProcessCounts {
            starts: get(&self.starts),
            failures: get(&self.failures),
            killed: get(&self.killed),
            evicted: get(&self.evicted),
        }
    }
}
