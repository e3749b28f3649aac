//! Bounds on the work of a check.

/// Amounts of work, the same on every machine, after which a check gives up. All other work is
/// bounded by the ticks of a [`Limit`](super::Limit).
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Divisions of integers into cases in a check. They have a bound apart from the ticks, since
    /// without bounds on the variables they need not end.
    pub splits: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { splits: 20_000 }
    }
}
