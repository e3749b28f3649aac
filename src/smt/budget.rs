//! Bounds on the work of a check.

/// Amounts of work, the same on every machine, after which a check gives up.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Conflicts in a check.
    pub conflicts: u64,
    /// Pivots in a check.
    pub pivots: u64,
    /// Divisions of integers into cases in a check.
    pub splits: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            conflicts: u64::MAX,
            pivots: u64::MAX,
            splits: 20_000,
        }
    }
}
