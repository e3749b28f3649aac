//! Numbers that look random, for examples.

/// A small generator of pseudo-random numbers (xorshift), the same stream in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// A number of at most this absolute value.
    pub(crate) fn int(&mut self, radius: i64) -> i64 {
        self.below(2 * radius as u64 + 1) as i64 - radius
    }
}
