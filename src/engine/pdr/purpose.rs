//! What a question to the solver is for: the sentence in traces, and the shares of queries and time in statistics.

use crate::engine::Share;
use std::time::{Duration, Instant};

/// The use that is made of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Can a state of an obligation be derived from `F_{n-1}`?
    Block,
    /// Can one be derived from reach facts?
    Reach,
    /// Can a premise of a step be a reach fact?
    Prefer,
    /// Does an obligation meet a new reach fact?
    Meet,
    /// Do lemmas avoid an obligation already?
    Avoid,
    /// Is a cube blocked without one of its literals?
    Drop,
    /// Can a state that leads into such a cube be excluded?
    Exclude,
    /// Is it blocked where less is said of a bit-vector?
    Loosen,
    /// Is it blocked with the sum of two of its inequalities?
    AddPair,
    /// Is a cube blocked that contains those of a family of lemmas?
    Subsume,
    /// Is a new lemma's cube blocked one level higher?
    Raise,
    /// Is an old one's?
    Propagate,
    /// From which states is a given one derived?
    Derive,
}

impl Purpose {
    const ALL: [Purpose; 13] = [
        Purpose::Block,
        Purpose::Reach,
        Purpose::Prefer,
        Purpose::Meet,
        Purpose::Avoid,
        Purpose::Drop,
        Purpose::Exclude,
        Purpose::Loosen,
        Purpose::AddPair,
        Purpose::Subsume,
        Purpose::Raise,
        Purpose::Propagate,
        Purpose::Derive,
    ];

    /// Is something only weaker, not wrong, where there is no answer?
    pub(super) fn is_optional(self) -> bool {
        use Purpose::{AddPair, Avoid, Drop, Exclude, Loosen, Propagate, Raise, Subsume};
        matches!(
            self,
            Avoid | Drop | Exclude | Loosen | AddPair | Subsume | Raise | Propagate
        )
    }

    /// A name for traces and statistics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Purpose::Block => "block",
            Purpose::Reach => "reach",
            Purpose::Prefer => "prefer facts",
            Purpose::Meet => "meet facts",
            Purpose::Avoid => "avoid lemmas",
            Purpose::Drop => "drop literals",
            Purpose::Exclude => "exclude states",
            Purpose::Loosen => "loosen bits",
            Purpose::AddPair => "add pairs",
            Purpose::Subsume => "subsume lemmas",
            Purpose::Raise => "raise lemmas",
            Purpose::Propagate => "propagate",
            Purpose::Derive => "derive",
        }
    }
}

/// Queries and their time by purpose.
#[derive(Clone, Default, Debug)]
pub(super) struct Ledger {
    rows: [(u64, Duration); Purpose::ALL.len()],
}

impl Ledger {
    /// Enters a query that began at `start` and ends now.
    pub(super) fn enter(&mut self, purpose: Purpose, start: Instant) {
        let (queries, time) = &mut self.rows[purpose as usize];
        *queries += 1;
        *time += start.elapsed();
    }

    /// The time of a query on average.
    pub(super) fn average(&self) -> Duration {
        let total: Duration = self.rows.iter().map(|(_, time)| *time).sum();
        total.div_f64(self.queries().max(1) as f64)
    }

    /// Number of queries.
    pub(super) fn queries(&self) -> u64 {
        self.rows.iter().map(|(queries, _)| queries).sum()
    }

    /// The purposes that occurred.
    pub(super) fn shares(&self) -> Vec<Share> {
        let rows = Purpose::ALL.iter().zip(self.rows);
        rows.filter(|(_, (queries, _))| *queries > 0)
            .map(|(purpose, (queries, time))| Share {
                activity: purpose.name(),
                queries,
                time,
            })
            .collect()
    }
}
