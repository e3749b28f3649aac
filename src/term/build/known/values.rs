//! Known bits and an unsigned interval of a bit-vector, as abstract values with the operators of
//! SMT-LIB. Bits and interval sharpen each other ([`Known::reduced`]).

/// The values that a bit-vector may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The number of bits, from 1 to 128.
    pub(super) width: u32,
    /// The bits that are zero.
    pub(super) zeros: u128,
    /// The bits that are one.
    pub(super) ones: u128,
    /// The least unsigned value.
    pub(super) low: u128,
    /// The greatest unsigned value.
    pub(super) high: u128,
}

/// The number with the lowest `count` bits set, for at most 128.
pub(super) fn lowest(count: u32) -> u128 {
    u128::MAX.checked_shr(128 - count).unwrap_or(0)
}

impl Known {
    /// Any value.
    pub(super) fn any(width: u32) -> Self {
        let (low, high) = (0, lowest(width));
        Known::between(width, low, high)
    }

    /// One value.
    pub(super) fn just(width: u32, value: u128) -> Self {
        Known::between(width, value, value)
    }

    /// The values from `low` to `high`, both included.
    pub(super) fn between(width: u32, low: u128, high: u128) -> Self {
        let (zeros, ones) = (0, 0);
        let known = Known {
            width,
            zeros,
            ones,
            low,
            high,
        };
        known.reduced()
    }

    /// The values with these bits.
    pub(super) fn with_bits(width: u32, zeros: u128, ones: u128) -> Self {
        Known::any(width).and_bits(zeros, ones)
    }

    /// What is known, and these bits.
    pub(super) fn and_bits(self, zeros: u128, ones: u128) -> Self {
        let all = lowest(self.width);
        let known = Known {
            zeros: self.zeros | (zeros & all),
            ones: self.ones | (ones & all),
            ..self
        };
        known.reduced()
    }

    /// The ends of the interval fit the bits, and the first bits of both ends are known if they are
    /// the same.
    pub(super) fn reduced(self) -> Self {
        let all = lowest(self.width);
        let low = self.low.max(self.ones);
        let high = self.high.min(all & !self.zeros);
        let open = lowest(128 - (low ^ high).leading_zeros());
        Known {
            zeros: self.zeros | (all & !open & !low),
            ones: self.ones | (all & !open & low),
            low,
            high,
            ..self
        }
    }

    /// The value, if there is only one.
    pub(super) fn value(&self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    /// The most significant bit, if it is known.
    pub(super) fn is_negative(&self) -> Option<bool> {
        let sign = 1 << (self.width - 1);
        if self.zeros & sign != 0 {
            Some(false)
        } else if self.ones & sign != 0 {
            Some(true)
        } else {
            None
        }
    }

    /// The number of lowest bits that are all known.
    pub(super) fn known_lowest(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones()
    }

    pub(super) fn not(self) -> Self {
        let all = lowest(self.width);
        Known {
            zeros: self.ones,
            ones: self.zeros,
            low: all - self.high,
            high: all - self.low,
            ..self
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        let (zeros, ones) = (self.zeros | other.zeros, self.ones & other.ones);
        Known::between(self.width, 0, self.high.min(other.high)).and_bits(zeros, ones)
    }

    pub(super) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    pub(super) fn xor(self, other: Self) -> Self {
        let zeros = self.zeros & other.zeros | self.ones & other.ones;
        let ones = self.zeros & other.ones | self.ones & other.zeros;
        Known::with_bits(self.width, zeros, ones)
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let width = self.width;
        // How often the modulus is in the least and in the greatest sum.
        let sums = [(self.low, other.low), (self.high, other.high)].map(|(x, y)| {
            let (sum, carries) = x.overflowing_add(y);
            let wraps = carries || sum > lowest(width);
            (sum & lowest(width), wraps)
        });
        let interval = match sums {
            [(low, before), (high, after)] if before == after => Known::between(width, low, high),
            _ => Known::any(width),
        };
        let exact = lowest(self.known_lowest().min(other.known_lowest()));
        let sum = self.ones.wrapping_add(other.ones);
        interval.and_bits(exact & !sum, exact & sum)
    }

    pub(super) fn negated(self) -> Self {
        self.not().plus(Known::just(self.width, 1))
    }

    pub(super) fn times(self, other: Self) -> Self {
        let width = self.width;
        let interval = match self.high.checked_mul(other.high) {
            Some(high) if high <= lowest(width) => {
                Known::between(width, self.low * other.low, high)
            }
            _ => Known::any(width),
        };
        let exact = lowest(self.known_lowest().min(other.known_lowest()));
        let product = self.ones.wrapping_mul(other.ones);
        let even = self.zeros.trailing_ones() + other.zeros.trailing_ones();
        let zeros = lowest(even.min(width));
        interval.and_bits(exact & !product | zeros, exact & product)
    }

    /// All bits where the divisor is zero.
    pub(super) fn quotient(self, divisor: Self) -> Self {
        let all = lowest(self.width);
        let low = self.low.checked_div(divisor.high).unwrap_or(all);
        let high = self.high.checked_div(divisor.low).unwrap_or(all);
        Known::between(self.width, low, high)
    }

    /// The dividend where the divisor is zero.
    pub(super) fn remainder(self, divisor: Self) -> Self {
        if self.high < divisor.low {
            return self;
        }
        let high = match divisor.low {
            0 => self.high,
            _ => self.high.min(divisor.high - 1),
        };
        Known::between(self.width, 0, high)
    }

    pub(super) fn shifted_left(self, places: Self) -> Self {
        let width = self.width;
        match places.value() {
            Some(places) if places >= u128::from(width) => Known::just(width, 0),
            Some(places) => {
                let into = (1u128 << places) - 1;
                Known::with_bits(width, self.zeros << places | into, self.ones << places)
            }
            None => Known::with_bits(width, lowest(self.zeros.trailing_ones().min(width)), 0),
        }
    }

    pub(super) fn shifted_right(self, places: Self) -> Self {
        let by = |value: u128, places: u128| match u32::try_from(places) {
            Ok(places) => value.checked_shr(places).unwrap_or(0),
            Err(_) => 0,
        };
        let (low, high) = (by(self.low, places.high), by(self.high, places.low));
        let interval = Known::between(self.width, low, high);
        match places.value() {
            Some(places) => interval.and_bits(by(self.zeros, places), by(self.ones, places)),
            None => interval,
        }
    }

    /// This above the bits of `below`; the widths have 128 bits together at most.
    pub(super) fn above(self, below: Self) -> Self {
        let join = |high: u128, low: u128| high << below.width | low;
        let known = Known {
            width: self.width + below.width,
            zeros: join(self.zeros, below.zeros),
            ones: join(self.ones, below.ones),
            low: join(self.low, below.low),
            high: join(self.high, below.high),
        };
        known.reduced()
    }

    /// The bits from `lo` to `hi`.
    pub(super) fn extract(self, hi: u32, lo: u32) -> Self {
        let width = hi - lo + 1;
        let interval = match (self.low >> lo, self.high >> lo) {
            // All values have the same bits above.
            (low, high) if (low ^ high) & !lowest(width) == 0 => {
                Known::between(width, low & lowest(width), high & lowest(width))
            }
            _ => Known::any(width),
        };
        interval.and_bits(self.zeros >> lo, self.ones >> lo)
    }

    pub(super) fn sign_extended(self, more: u32) -> Self {
        match self.is_negative() {
            Some(false) => Known::just(more, 0).above(self),
            Some(true) => Known::just(more, lowest(more)).above(self),
            None => Known::any(more).above(Known::with_bits(self.width, self.zeros, self.ones)),
        }
    }

    /// What both have.
    pub(super) fn join(self, other: Self) -> Self {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        let (zeros, ones) = (self.zeros & other.zeros, self.ones & other.ones);
        Known::between(self.width, low, high).and_bits(zeros, ones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of four bits that are not excluded.
    fn members(known: &Known) -> impl Iterator<Item = u128> + '_ {
        let fits = |&x: &u128| {
            x & known.zeros == 0
                && x & known.ones == known.ones
                && known.low <= x
                && x <= known.high
        };
        (0..1 << known.width).filter(fits)
    }

    /// Some sets of values of three bits.
    fn sets() -> Vec<Known> {
        let mut sets = Vec::new();
        for low in 0..8 {
            for high in low..8 {
                for (zeros, ones) in [(0, 0), (1, 0), (0, 1), (4, 1), (2, 4), (0, 6)] {
                    let known = Known::between(3, low, high);
                    let may_be = |x: u128| x & zeros == 0 && x & ones == ones;
                    if members(&known).any(may_be) {
                        sets.push(known.and_bits(zeros, ones));
                    }
                }
            }
        }
        sets
    }

    #[test]
    fn no_value_is_lost() {
        type Operator = fn(Known, Known) -> Known;
        type Meaning = fn(u128, u128) -> u128;
        let operators: [(Operator, Meaning); 10] = [
            (Known::and, |x, y| x & y),
            (Known::or, |x, y| x | y),
            (Known::xor, |x, y| x ^ y),
            (Known::plus, |x, y| (x + y) % 8),
            (Known::times, |x, y| x * y % 8),
            (Known::quotient, |x, y| x.checked_div(y).unwrap_or(7)),
            (Known::remainder, |x, y| x.checked_rem(y).unwrap_or(x)),
            (Known::shifted_left, |x, y| (x << y) % 8),
            (Known::shifted_right, |x, y| x >> y),
            (Known::above, |x, y| x << 3 | y),
        ];
        for x in sets() {
            for y in sets() {
                for (n, (operator, meaning)) in operators.iter().enumerate() {
                    let result = operator(x, y);
                    for (a, b) in members(&x).flat_map(|a| members(&y).map(move |b| (a, b))) {
                        let value = meaning(a, b);
                        let is_member = members(&result).any(|v| v == value);
                        assert!(
                            is_member,
                            "operator {n}: {x:?}, {y:?}: {value} of {result:?}"
                        );
                    }
                }
            }
        }
    }
}
