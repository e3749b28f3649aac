//! The field operations of [`Rational`].
//!
//! Fractions of 64-bit parts are added and multiplied as in Knuth's TAOCP 4.5.1: common divisors
//! are removed from the operands, so the greatest common divisors are of 64-bit numbers and the
//! results are reduced at once.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;

use crate::work;

use super::rational::{Rational, Repr, Small, gcd};

/// `a + bn/b.den()`, where `bn` is the numerator of `b` or its negation (which need not fit into 64
/// bits).
#[inline]
fn add_small(a: Small, bn: i128, b: Small) -> Rational {
    if a.is_integer() && b.is_integer() {
        return Rational::from_i128(i128::from(a.num()) + bn);
    }
    let g = gcd(a.den(), b.den());
    let (a_den, b_den) = (i128::from(a.den() / g), i128::from(b.den() / g));
    // |numerators| <= 2^63 and denominators < 2^63: the sum is below 2^127.
    let num = i128::from(a.num()) * b_den + bn * a_den;
    if g == 1 {
        return Rational::from_coprime(num, a_den * i128::from(b.den()));
    }
    // Only a divisor of g can be common to the sum's numerator and denominator.
    let rest = i64::try_from(num).unwrap_or_else(|_| {
        i64::try_from(num % i128::from(g)).expect("a remainder is smaller than its divisor")
    });
    let g2 = gcd(rest, g);
    Rational::from_coprime(num / i128::from(g2), a_den * i128::from(b.den() / g2))
}

#[inline]
fn mul_small(a: Small, b: Small) -> Rational {
    let (an, bn) = (a.num(), b.num());
    if a.is_integer() && b.is_integer() {
        return Rational::from_i128(i128::from(an) * i128::from(bn));
    }
    let (g1, g2) = (gcd(an, b.den()), gcd(bn, a.den()));
    Rational::from_coprime(
        i128::from(an / g1) * i128::from(bn / g2),
        i128::from(a.den() / g2) * i128::from(b.den() / g1),
    )
}

/// Ticks that an operation on large integers costs for each pair of 64-bit digits.
const INTEGER_TICKS: u64 = 1;
/// Ticks that one on large fractions costs for each: a greatest common divisor has a step for each
/// bit. The value was not tuned.
pub(super) const FRACTION_TICKS: u64 = 16;

/// Counts the work of a quadratic operation on numbers with `bits` bits together.
pub(super) fn spend_on_bits(bits: u64, ticks: u64) {
    let digits = 1 + bits / 64;
    work::spend(4 + digits.saturating_mul(digits).saturating_mul(ticks) / 4);
}

/// Applies `integers` where both numbers are integers and `fractions` otherwise: reducing a large
/// fraction whose denominator is one costs a quadratic greatest common divisor for nothing.
fn with_big(
    a: &Rational,
    b: &Rational,
    integers: impl FnOnce(&BigInt, &BigInt) -> BigInt,
    fractions: impl FnOnce(&BigRational, &BigRational) -> BigRational,
) -> Rational {
    let (a_big, b_big) = (a.to_big(), b.to_big());
    let bits = a.bit_length() + b.bit_length();
    if a.is_integer() && b.is_integer() {
        spend_on_bits(bits, INTEGER_TICKS);
        Rational::from(integers(a_big.numer(), b_big.numer()))
    } else {
        spend_on_bits(bits, FRACTION_TICKS);
        Rational::from(fractions(&a_big, &b_big))
    }
}

impl Rational {
    #[inline]
    fn sum(a: &Rational, b: &Rational) -> Rational {
        match (&a.0, &b.0) {
            (Repr::Small(a), Repr::Small(b)) => add_small(*a, i128::from(b.num()), *b),
            _ => with_big(a, b, |a, b| a + b, |a, b| a + b),
        }
    }

    #[inline]
    fn difference(a: &Rational, b: &Rational) -> Rational {
        match (&a.0, &b.0) {
            (Repr::Small(a), Repr::Small(b)) => add_small(*a, -i128::from(b.num()), *b),
            _ => with_big(a, b, |a, b| a - b, |a, b| a - b),
        }
    }

    #[inline]
    fn product(a: &Rational, b: &Rational) -> Rational {
        match (&a.0, &b.0) {
            (Repr::Small(a), Repr::Small(b)) => mul_small(*a, *b),
            _ => with_big(a, b, |a, b| a * b, |a, b| a * b),
        }
    }

    #[inline]
    fn quotient(a: &Rational, b: &Rational) -> Rational {
        Rational::product(a, &b.recip())
    }

    fn negated(a: &Rational) -> Rational {
        match &a.0 {
            Repr::Small(s) => Rational::from_coprime(-i128::from(s.num()), s.den().into()),
            // The negation of a big number may be small: 2^63 and i64::MIN.
            Repr::Big(b) => Rational::from(-b.as_ref()),
        }
    }

    /// Applies an operation of 64-bit integers in place; `false` if it has no result or the number
    /// is no such integer, which is unchanged then.
    ///
    /// The inner loops of linear algebra spend much of their time here. A number that is written in
    /// two parts and then copied as a whole makes the processor wait for the writes.
    #[inline]
    fn apply(&mut self, other: i64, operation: impl Fn(i64, i64) -> Option<i64>) -> bool {
        if let Repr::Small(own) = &mut self.0
            && own.is_integer()
            && let Some(result) = operation(own.num(), other)
        {
            own.set_integer(result);
            return true;
        }
        false
    }

    /// `self += a * b`, the inner step of linear algebra; allocates nothing while all numbers are
    /// small.
    #[inline]
    pub fn add_mul(&mut self, a: &Rational, b: &Rational) {
        if let (Some(x), Some(y)) = (a.to_i64(), b.to_i64())
            && let Some(product) = x.checked_mul(y)
            && self.apply(product, i64::checked_add)
        {
            return;
        }
        *self = Rational::sum(self, &Rational::product(a, b));
    }

    /// `self -= a * b`.
    #[inline]
    pub fn sub_mul(&mut self, a: &Rational, b: &Rational) {
        *self = Rational::difference(self, &Rational::product(a, b));
    }

    /// The reciprocal.
    ///
    /// # Panics
    /// If the number is zero.
    pub fn recip(&self) -> Rational {
        assert!(!self.is_zero(), "division of a rational by zero");
        match &self.0 {
            Repr::Small(s) => {
                let sign = i128::from(s.num().signum());
                Rational::from_coprime(i128::from(s.den()) * sign, i128::from(s.num()) * sign)
            }
            Repr::Big(b) => Rational::from(b.recip()),
        }
    }

    /// The quotient, or `None` where `divisor` is zero.
    pub fn checked_div(&self, divisor: &Rational) -> Option<Rational> {
        (!divisor.is_zero()).then(|| Rational::quotient(self, divisor))
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        match &self.0 {
            Repr::Big(b) => Rational::from(b.abs()),
            Repr::Small(_) if self.is_negative() => Rational::negated(self),
            Repr::Small(_) => self.clone(),
        }
    }

    /// The power with a natural exponent; `x^0 = 1` for all `x`.
    pub fn pow(&self, exponent: u32) -> Rational {
        let (mut base, mut left, mut power) = (self.clone(), exponent, Rational::one());
        loop {
            if left & 1 == 1 {
                power *= &base;
            }
            left >>= 1;
            if left == 0 {
                return power;
            }
            base = Rational::product(&base, &base);
        }
    }
}

/// The quotient of integers, where it is one and fits.
#[inline]
fn exact_quotient(a: i64, b: i64) -> Option<i64> {
    match a.checked_rem(b) {
        Some(0) => Some(a / b),
        _ => None,
    }
}

/// A binary operator on values and references, and its assigning form, which tries an operation of
/// 64-bit integers first.
macro_rules! operator {
    ($op:ident, $method:ident, $assign:ident, $assign_method:ident, $by:ident, $integers:expr) => {
        impl $op<&Rational> for &Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: &Rational) -> Rational {
                Rational::$by(self, other)
            }
        }
        impl $op<Rational> for &Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: Rational) -> Rational {
                Rational::$by(self, &other)
            }
        }
        impl $op<&Rational> for Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: &Rational) -> Rational {
                Rational::$by(&self, other)
            }
        }
        impl $op<Rational> for Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: Rational) -> Rational {
                Rational::$by(&self, &other)
            }
        }
        impl $assign<&Rational> for Rational {
            #[inline]
            fn $assign_method(&mut self, other: &Rational) {
                let integer = other.to_i64();
                if !integer.is_some_and(|other| self.apply(other, $integers)) {
                    *self = Rational::$by(self, other);
                }
            }
        }
        impl $assign<Rational> for Rational {
            #[inline]
            fn $assign_method(&mut self, other: Rational) {
                $assign::$assign_method(self, &other);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign, sum, i64::checked_add);
operator!(
    Sub,
    sub,
    SubAssign,
    sub_assign,
    difference,
    i64::checked_sub
);
operator!(Mul, mul, MulAssign, mul_assign, product, i64::checked_mul);
operator!(Div, div, DivAssign, div_assign, quotient, exact_quotient);

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        Rational::negated(self)
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        Rational::negated(&self)
    }
}

impl Sum for Rational {
    fn sum<I: Iterator<Item = Rational>>(numbers: I) -> Rational {
        numbers.fold(Rational::zero(), |total, number| total + number)
    }
}

impl<'a> Sum<&'a Rational> for Rational {
    fn sum<I: Iterator<Item = &'a Rational>>(numbers: I) -> Rational {
        numbers.fold(Rational::zero(), |total, number| total + number)
    }
}
