//! The number of engines that run at the same time.

use std::num::NonZeroUsize;

/// A number of threads for engines, by default one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jobs(NonZeroUsize);

impl Jobs {
    /// A number of threads; 0 means one for each processor that this process may use.
    pub fn new(count: usize) -> Jobs {
        Jobs(NonZeroUsize::new(count).unwrap_or_else(processors))
    }

    /// The number, at least 1.
    pub fn count(self) -> usize {
        self.0.get()
    }
}

impl Default for Jobs {
    fn default() -> Self {
        Jobs(NonZeroUsize::MIN)
    }
}

/// The number of processors; one if it is unknown.
fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
