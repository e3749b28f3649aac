//! The interval of integers that a term's values lie in.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// `2^exponent`.
pub(super) fn power_of_two(exponent: impl Into<u64>) -> BigInt {
    BigInt::one() << exponent.into()
}

/// The integers from `low` to `high`, both included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) low: BigInt,
    pub(super) high: BigInt,
}

impl Interval {
    /// One integer.
    pub(super) fn just(value: BigInt) -> Self {
        Interval {
            low: value.clone(),
            high: value,
        }
    }

    /// From 0 to `count - 1`, for a positive `count`.
    pub(super) fn below(count: &BigInt) -> Self {
        Interval {
            low: BigInt::zero(),
            high: count - 1,
        }
    }

    /// The values in two's complement of that width, which is positive.
    pub(super) fn signed(width: u32) -> Self {
        let half = power_of_two(width - 1);
        Interval {
            low: -&half,
            high: half - 1,
        }
    }

    /// The unsigned values of that width.
    pub(super) fn unsigned(width: u32) -> Self {
        Interval::below(&power_of_two(width))
    }

    /// From `-most` to `most`.
    pub(super) fn around_zero(most: BigInt) -> Self {
        Interval {
            low: -&most,
            high: most,
        }
    }

    /// The sums of members of two intervals.
    pub(super) fn plus(&self, other: &Interval) -> Self {
        Interval {
            low: &self.low + &other.low,
            high: &self.high + &other.high,
        }
    }

    /// The products of members of two intervals lie in it.
    pub(super) fn times(&self, other: &Interval) -> Self {
        let products = [
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ];
        Interval {
            low: products.iter().min().expect("there are four").clone(),
            high: products.iter().max().expect("there are four").clone(),
        }
    }

    /// The members of either, and those in between.
    pub(super) fn hull(&self, other: &Interval) -> Self {
        Interval {
            low: (&self.low).min(&other.low).clone(),
            high: (&self.high).max(&other.high).clone(),
        }
    }

    /// Is every member one of `other`?
    pub(super) fn lies_in(&self, other: &Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The largest absolute value of a member.
    pub(super) fn magnitude(&self) -> BigInt {
        self.low.abs().max(self.high.abs())
    }

    /// The smallest width whose values in two's complement have all members among them.
    pub(super) fn signed_width(&self) -> u64 {
        // -2^n needs n bits beside the sign, as 2^n - 1 does.
        let bits = |n: &BigInt| match n.is_negative() {
            true => (-n - 1_i32).bits(),
            false => n.bits(),
        };
        bits(&self.low).max(bits(&self.high)) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_the_smallest() {
        for (low, high, width) in [
            (0, 0, 1),
            (-1, 0, 1),
            (0, 1, 2),
            (-2, 1, 2),
            (-3, 1, 3),
            (0, 255, 9),
        ] {
            let interval = Interval {
                low: BigInt::from(low),
                high: BigInt::from(high),
            };
            assert_eq!(interval.signed_width(), width, "{interval:?}");
            let width = u32::try_from(width).expect("it is small");
            assert!(interval.lies_in(&Interval::signed(width)));
        }
    }
}
