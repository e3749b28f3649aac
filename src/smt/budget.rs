//! Bounds on the work of a check.

/// Amounts of work, the same on every machine, after which a check gives up. All other work is
/// bounded by the ticks of a [`Limit`](super::Limit).
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Divisions of integers into cases in a check. They have a bound apart from the ticks, since
    /// without bounds on the variables they need not end.
    pub splits: u64,
    /// Conflicts in a check of a context that has circuits of bit-vectors. Without the bound a
    /// product of two wide vectors may take for ever where another solver decides it at once.
    pub circuit_conflicts: u64,
    /// Models of the linear part of a check in which products have wrong values. Without the bound
    /// the search for a model need not end.
    pub products: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            splits: 20_000,
            circuit_conflicts: u64::MAX,
            products: 300,
        }
    }
}
