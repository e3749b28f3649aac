//! Pseudo-random choices: the same seed gives the same inputs on every machine.

use fastrand::Rng;

/// A stream of numbers that a seed determines, and the choices that generators make by it.
#[derive(Clone)]
pub(crate) struct Random(Rng);

impl Random {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Random(Rng::with_seed(seed))
    }

    /// The stream of the input `index` of a run.
    pub(crate) fn of(seed: u64, index: u64) -> Self {
        // Seeds of neighbouring runs have no streams in common.
        let mut run = Rng::with_seed(seed);
        Random::new(run.u64(..) ^ index)
    }

    /// A stream whose choices leave this one alone.
    pub(crate) fn fork(&mut self) -> Random {
        Random(self.0.fork())
    }

    /// Any 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    /// A number of a range, both ends included.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0.i64(low..=high)
    }

    /// True in this percentage of the cases.
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// The index of one of these weights.
    pub(crate) fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("the number is below the sum")
    }
}
