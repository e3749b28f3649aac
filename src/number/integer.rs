//! Rounding, division with remainder and divisibility, defined for all rationals. Integers are the
//! special case, and the only precondition is that a divisor is not zero.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Euclid;

use super::arith::{FRACTION_TICKS, spend_on_bits};
use super::rational::{Rational, Repr};

impl Rational {
    /// The greatest integer that is not greater.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Repr::Small(s) if s.is_integer() => self.clone(),
            Repr::Small(s) => Rational::from(s.num().div_euclid(s.den())), // no overflow: the divisor is at least 2
            Repr::Big(b) => Rational::from(b.numer().div_floor(b.denom())),
        }
    }

    /// The least integer that is not less.
    pub fn ceil(&self) -> Rational {
        if self.is_integer() {
            self.clone()
        } else {
            self.floor() + Rational::one()
        }
    }

    /// SMT-LIB's `div`: the integer `q` with `self = divisor * q + r` and `0 <= r < |divisor|`. So
    /// it is the floor of the quotient for a positive divisor and the ceiling for a negative one.
    ///
    /// # Panics
    /// If `divisor` is zero.
    pub fn div_euclid(&self, divisor: &Rational) -> Rational {
        assert!(!divisor.is_zero(), "division of a rational by zero");
        match (self.to_i64(), divisor.to_i64()) {
            (Some(a), Some(b)) => match a.checked_div_euclid(b) {
                Some(quotient) => Rational::from(quotient),
                None => Rational::from_i128(i128::from(a).div_euclid(i128::from(b))),
            },
            _ => match (self.to_integer(), divisor.to_integer()) {
                (Some(a), Some(b)) => Rational::from(Euclid::div_euclid(&a, &b)),
                _ if divisor.is_positive() => (self / divisor).floor(),
                _ => (self / divisor).ceil(),
            },
        }
    }

    /// SMT-LIB's `mod`: the `r` of [`Rational::div_euclid`], never negative.
    ///
    /// # Panics
    /// If `divisor` is zero.
    pub fn mod_euclid(&self, divisor: &Rational) -> Rational {
        let rest = match (self.to_i64(), divisor.to_i64()) {
            // Only MIN mod -1 overflows. Its remainder is 0, which the wrapping operation gives.
            (Some(a), Some(b)) if b != 0 => Rational::from(a.wrapping_rem_euclid(b)),
            _ => self - divisor * self.div_euclid(divisor),
        };
        debug_assert!(
            !rest.is_negative() && rest < divisor.abs(),
            "a remainder is from 0 up to the divisor"
        );
        rest
    }

    /// Whether the quotient is an integer. Only zero is divisible by zero.
    pub fn is_divisible_by(&self, divisor: &Rational) -> bool {
        if divisor.is_zero() {
            self.is_zero()
        } else {
            self.mod_euclid(divisor).is_zero()
        }
    }

    /// The greatest common divisor: the greatest `g >= 0` of which both numbers are integer
    /// multiples, and 0 where both are 0. For fractions too: dividing a row of coefficients by
    /// their gcd makes them coprime integers.
    pub fn gcd(&self, other: &Rational) -> Rational {
        if let (Some(a), Some(b)) = (self.to_i64(), other.to_i64()) {
            return Rational::from_i128(a.unsigned_abs().gcd(&b.unsigned_abs()).into());
        }
        spend_on_bits(self.bit_length() + other.bit_length(), FRACTION_TICKS);
        Rational::from_reduced(
            self.numer().gcd(&other.numer()),
            self.denom().lcm(&other.denom()),
        )
    }

    /// The least common multiple: the least `m >= 0` that is an integer multiple of both numbers
    /// other than by the factor 0, and 0 where one of them is 0.
    pub fn lcm(&self, other: &Rational) -> Rational {
        if let (Some(a), Some(b)) = (self.to_i64(), other.to_i64())
            && (a, b) != (0, 0)
        {
            let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
            // At most 2^126.
            let multiple = u128::from(a / a.gcd(&b)) * u128::from(b);
            return Rational::from_i128(i128::try_from(multiple).expect("below 2^127"));
        }
        Rational::from_reduced(
            self.numer().lcm(&other.numer()),
            self.denom().gcd(&other.denom()),
        )
    }

    /// A fraction of any size that is in lowest terms already (a divisor of numerators that are
    /// coprime to their denominators is coprime to every product of divisors of these).
    fn from_reduced(num: BigInt, den: BigInt) -> Rational {
        if num == BigInt::ZERO {
            return Rational::zero();
        }
        Rational::from(num_rational::BigRational::new_raw(num, den))
    }
}
