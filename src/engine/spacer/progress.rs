//! Theorem 2 of the paper: the bound grows, or the counterexample is a new one.

use crate::chc::Skeleton;
#[cfg(debug_assertions)]
use rustc_hash::FxHashSet;

/// The counterexamples at the present bound. Release builds remember none.
#[derive(Default)]
pub(super) struct Counterexamples {
    #[cfg(debug_assertions)]
    seen: FxHashSet<Skeleton>,
}

impl Counterexamples {
    /// Is this one new? Release builds do not know, and say yes.
    #[cfg_attr(not(debug_assertions), allow(clippy::unused_self))]
    pub(super) fn is_new(&self, counterexample: &Skeleton) -> bool {
        #[cfg(debug_assertions)]
        return !self.seen.contains(counterexample);
        #[cfg(not(debug_assertions))]
        {
            let _ = counterexample;
            true
        }
    }

    /// It must not occur again.
    pub(super) fn remember(&mut self, counterexample: &Skeleton) {
        #[cfg(debug_assertions)]
        self.seen.insert(counterexample.clone());
        #[cfg(not(debug_assertions))]
        let _ = counterexample;
    }

    /// The bound has grown: what excluded a counterexample may have been left out since.
    pub(super) fn forget(&mut self) {
        #[cfg(debug_assertions)]
        self.seen.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chc::{ClauseId, Fact, Refutation};

    #[test]
    fn a_counterexample_that_recurs_is_no_progress() {
        let of_clause = |clause| {
            let fact = Fact::new(ClauseId(clause), Vec::new(), Vec::new());
            Skeleton::of(&Refutation { facts: vec![fact] })
        };
        let mut progress = Counterexamples::default();
        assert!(progress.is_new(&of_clause(0)));
        progress.remember(&of_clause(0));
        assert!(progress.is_new(&of_clause(1)));
        assert_eq!(progress.is_new(&of_clause(0)), !cfg!(debug_assertions));
        progress.forget();
        assert!(progress.is_new(&of_clause(0)));
    }
}
