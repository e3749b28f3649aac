//! When the search of an abstraction is given up.
//!
//! The search of an abstraction that leaves out too much can take longer than that of the system
//! itself, since there are more states to exclude. REFINE does not help, since it waits for a
//! counterexample. So the searches of abstractions have a budget, and all conjuncts come back where
//! it is used up.
//!
//! DIVERGENCE: the paper searches each abstraction to the end.
//!
//! Tried: five tasks of LRA-Lin are solved in 20 s with a patience of 2, of 10 and of 40 million
//! ticks; with unlimited patience none of them is.

use crate::engine::option::UNLIMITED;
use crate::smt::Limit;

/// The budget of searches that may be given up.
///
/// Invariant: they have taken at most `least`, the other work of the engine, and what the last
/// query of each needed to end.
pub(super) struct Patience {
    limit: Limit,
    /// The ticks that these searches may take beyond those of the other work; `None` if no search
    /// is given up.
    least: Option<u64>,
    /// What the meter read when the engine began.
    begun: u64,
    /// The ticks of the searches that were given up.
    lost: u64,
}

impl Patience {
    /// The patience of an engine that begins now. `least` is in thousands of ticks, or
    /// [`UNLIMITED`].
    pub(super) fn new(limit: &Limit, least: u32) -> Self {
        Patience {
            limit: limit.clone(),
            least: (least != UNLIMITED).then(|| 1000 * u64::from(least)),
            begun: limit.ticks(),
            lost: 0,
        }
    }

    /// The ticks of the next search; `None` if it is not given up.
    pub(super) fn budget(&self) -> Option<u64> {
        let work = self.limit.ticks() - self.begun;
        let least = self.least?;
        Some((least + work).saturating_sub(2 * self.lost))
    }

    /// A search was given up after this number of ticks.
    pub(super) fn lose(&mut self, ticks: u64) {
        self.lost += ticks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work;

    #[test]
    fn at_most_half_of_the_work_is_lost() {
        let limit = Limit::none();
        work::spend(10);
        let mut patience = Patience::new(&limit, 3);
        assert_eq!(patience.budget(), Some(3_000));
        work::spend(3_000);
        patience.lose(3_000);
        assert_eq!(patience.budget(), Some(0));
        work::spend(100);
        assert_eq!(patience.budget(), Some(100));
        work::spend(100);
        patience.lose(100);
        assert_eq!(patience.budget(), Some(0));
        assert_eq!(Patience::new(&limit, UNLIMITED).budget(), None);
    }
}
