//! The representation of [`Rational`], its construction, inspection, order and text.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroI64;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

/// An exact rational number of any size, in lowest terms.
///
/// Numbers whose numerator and (positive) denominator both fit into an `i64` are stored inline, all
/// others behind a pointer. Equal numbers always have the same representation. The size is 16
/// bytes.
///
/// ```
/// use horn::number::Rational;
/// let third = Rational::new(1, 3);
/// assert_eq!(&third + &third * Rational::from(2), Rational::one());
/// let large = Rational::from(i64::MAX);
/// assert_eq!(&large + Rational::one() - Rational::one(), large);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(pub(super) Repr);

/// Invariant: coprime with a positive denominator, and `Small` whenever the two parts fit into it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Repr {
    Small(Small),
    Big(Box<BigRational>),
}

/// A fraction of 64-bit parts. Invariant: `den > 0`, coprime. That `den` is never zero leaves room
/// for the tag of [`Repr`], which makes a [`Rational`] 16 bytes instead of 24.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Small {
    num: i64,
    den: NonZeroI64,
}

impl Small {
    /// `num / den`, which must be coprime with `den > 0`.
    #[inline]
    pub(super) fn new(num: i64, den: i64) -> Small {
        debug_assert!(
            den > 0 && gcd(num, den) == 1,
            "{num}/{den} is not in lowest terms"
        );
        Small {
            num,
            den: NonZeroI64::new(den).expect("a denominator is positive"),
        }
    }

    #[inline]
    pub(super) fn integer(num: i64) -> Small {
        Small {
            num,
            den: const { NonZeroI64::new(1).expect("one is not zero") },
        }
    }

    /// Another integer in place of an integer.
    #[inline]
    pub(super) fn set_integer(&mut self, num: i64) {
        debug_assert!(self.is_integer());
        self.num = num;
    }

    #[inline]
    pub(super) fn num(self) -> i64 {
        self.num
    }

    #[inline]
    pub(super) fn den(self) -> i64 {
        self.den.get()
    }

    #[inline]
    pub(super) fn is_integer(self) -> bool {
        self.den.get() == 1
    }
}

/// The greatest common divisor of `|a|` and `b > 0`; it is at most `b`, so it fits.
#[inline]
pub(super) fn gcd(a: i64, b: i64) -> i64 {
    if b == 1 {
        return 1;
    }
    let g = a.unsigned_abs().gcd(&b.unsigned_abs());
    i64::try_from(g).expect("a divisor of a positive i64 is an i64")
}

/// Debug assertions look for common divisors of parts of at most this number of bits.
const CHECKED_BITS: u64 = 512;

impl Rational {
    /// Zero.
    pub fn zero() -> Rational {
        Rational(Repr::Small(Small::integer(0)))
    }

    /// One.
    pub fn one() -> Rational {
        Rational(Repr::Small(Small::integer(1)))
    }

    /// The fraction `num / den`, reduced.
    ///
    /// # Panics
    /// If `den` is zero.
    pub fn new(num: i64, den: i64) -> Rational {
        assert!(den != 0, "a fraction's denominator is not zero");
        let (num, den) = (i128::from(num), i128::from(den));
        let g = num.gcd(&den) * den.signum();
        Rational::from_coprime(num / g, den / g)
    }

    /// The fraction `num / den` of integers of any size, reduced.
    ///
    /// # Panics
    /// If `den` is zero.
    pub fn from_big_parts(num: BigInt, den: BigInt) -> Rational {
        match (num.to_i64(), den.to_i64()) {
            (Some(num), Some(den)) => Rational::new(num, den),
            _ => Rational::from(BigRational::new(num, den)),
        }
    }

    /// `num / den`, which must be coprime with `den > 0`.
    #[inline]
    pub(super) fn from_coprime(num: i128, den: i128) -> Rational {
        match (i64::try_from(num), i64::try_from(den)) {
            (Ok(num), Ok(den)) => Rational(Repr::Small(Small::new(num, den))),
            _ => Rational::from(BigRational::new_raw(num.into(), den.into())),
        }
    }

    /// Is the representation normal: coprime with a positive denominator, and small whenever the
    /// two parts fit? Of parts with more than 512 bits no divisor is looked for.
    fn is_normal(&self) -> bool {
        match &self.0 {
            Repr::Small(s) => s.den() > 0 && gcd(s.num(), s.den()) == 1,
            Repr::Big(b) => {
                let (num, den) = (b.numer(), b.denom());
                den.is_positive()
                    && (num.to_i64().is_none() || den.to_i64().is_none())
                    && (num.bits().max(den.bits()) > CHECKED_BITS || num.gcd(den).is_one())
            }
        }
    }

    /// An integer of 128 bits.
    #[inline]
    pub(super) fn from_i128(value: i128) -> Rational {
        match i64::try_from(value) {
            Ok(value) => Rational(Repr::Small(Small::integer(value))),
            Err(_) => Rational::from(BigInt::from(value)),
        }
    }

    /// The number as a `BigRational`; borrowed where it is one already.
    pub(super) fn to_big(&self) -> Cow<'_, BigRational> {
        match &self.0 {
            Repr::Small(s) => Cow::Owned(BigRational::new_raw(s.num().into(), s.den().into())),
            Repr::Big(b) => Cow::Borrowed(b),
        }
    }

    /// The numerator, which carries the sign.
    pub fn numer(&self) -> BigInt {
        match &self.0 {
            Repr::Small(s) => s.num().into(),
            Repr::Big(b) => b.numer().clone(),
        }
    }

    /// The denominator, always positive.
    pub fn denom(&self) -> BigInt {
        match &self.0 {
            Repr::Small(s) => s.den().into(),
            Repr::Big(b) => b.denom().clone(),
        }
    }

    /// Numerator and denominator, where both fit into 64 bits.
    #[inline]
    pub fn to_small_parts(&self) -> Option<(i64, i64)> {
        match &self.0 {
            Repr::Small(s) => Some((s.num(), s.den())),
            Repr::Big(_) => None,
        }
    }

    /// The numerator of a number whose numerator and denominator both fit into 64 bits.
    #[inline]
    pub fn numer_i64(&self) -> Option<i64> {
        self.to_small_parts().map(|(num, _)| num)
    }

    /// The number as an `i64`, if it is an integer of that range.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(s) if s.is_integer() => Some(s.num()),
            _ => None,
        }
    }

    /// The number as a `BigInt`, if it is an integer.
    pub fn to_integer(&self) -> Option<BigInt> {
        self.is_integer().then(|| self.numer())
    }

    /// The number of bits of numerator and denominator together: a measure of the cost of computing
    /// with the number.
    pub fn bit_length(&self) -> u64 {
        match &self.0 {
            Repr::Small(s) => {
                let bits = |part: u64| u64::from(u64::BITS - part.leading_zeros());
                bits(s.num().unsigned_abs()) + bits(s.den().unsigned_abs())
            }
            Repr::Big(b) => b.numer().bits() + b.denom().bits(),
        }
    }

    /// Whether the number is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.to_i64() == Some(0)
    }

    /// Whether the number is one.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.to_i64() == Some(1)
    }

    /// Whether the number is minus one.
    #[inline]
    pub fn is_minus_one(&self) -> bool {
        self.to_i64() == Some(-1)
    }

    /// Whether the denominator is one.
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(s) => s.is_integer(),
            Repr::Big(b) => b.denom().is_one(),
        }
    }

    /// Whether the number is less than zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether the number is greater than zero.
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// The sign: -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            // The sign of an i64 is -1, 0 or 1, so the conversion loses nothing.
            Repr::Small(s) => s.num().signum() as i32,
            Repr::Big(b) if b.numer().is_negative() => -1,
            Repr::Big(_) => 1, // zero is small
        }
    }
}

impl Default for Rational {
    /// Zero.
    fn default() -> Rational {
        Rational::zero()
    }
}

impl From<i64> for Rational {
    #[inline]
    fn from(value: i64) -> Rational {
        Rational(Repr::Small(Small::integer(value)))
    }
}

impl From<i32> for Rational {
    #[inline]
    fn from(value: i32) -> Rational {
        Rational::from(i64::from(value))
    }
}

impl From<BigInt> for Rational {
    fn from(value: BigInt) -> Rational {
        match value.to_i64() {
            Some(value) => Rational::from(value),
            None => Rational(Repr::Big(Box::new(BigRational::from_integer(value)))),
        }
    }
}

impl From<BigRational> for Rational {
    fn from(value: BigRational) -> Rational {
        debug_assert!(
            value.denom().is_positive(),
            "num-rational keeps denominators positive"
        );
        let made = match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(num), Some(den)) => Rational(Repr::Small(Small::new(num, den))),
            _ => Rational(Repr::Big(Box::new(value))),
        };
        debug_assert!(
            made.is_normal(),
            "{made} is in lowest terms and small if it fits"
        );
        made
    }
}

impl From<&Rational> for BigRational {
    fn from(value: &Rational) -> BigRational {
        value.to_big().into_owned()
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) if a.den == b.den => a.num.cmp(&b.num),
            (Repr::Small(a), Repr::Small(b)) => {
                let left = i128::from(a.num) * i128::from(b.den());
                let right = i128::from(b.num) * i128::from(a.den());
                left.cmp(&right)
            }
            _ => self
                .signum()
                .cmp(&other.signum())
                .then_with(|| self.to_big().cmp(&other.to_big())),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `n` for an integer, otherwise `n/d`; a minus sign comes first. (The term printer writes SMT-LIB
/// syntax.)
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(s) if s.is_integer() => write!(f, "{}", s.num()),
            Repr::Small(s) => write!(f, "{}/{}", s.num(), s.den()),
            Repr::Big(b) => write!(f, "{b}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
