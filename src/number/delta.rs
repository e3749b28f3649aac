//! Numbers `a + b·δ` with an infinitesimal δ > 0. They turn strict bounds of the simplex of
//! \[DdM06\] into non-strict ones: `x < a` becomes `x <= a - δ`.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use super::Rational;

/// The number `real + delta·δ`, where δ is positive and smaller than every positive rational; the
/// order is therefore lexicographic.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct DeltaRational {
    /// The rational part.
    pub real: Rational,
    /// The factor of the infinitesimal.
    pub delta: Rational,
}

impl DeltaRational {
    /// `real + delta·δ`.
    pub fn new(real: Rational, delta: Rational) -> DeltaRational {
        DeltaRational { real, delta }
    }

    /// Zero.
    pub fn zero() -> DeltaRational {
        DeltaRational::default()
    }

    /// The least number that is greater than a rational: the bound of `x > real`.
    pub fn just_above(real: Rational) -> DeltaRational {
        DeltaRational::new(real, Rational::one())
    }

    /// The greatest number that is less than a rational: the bound of `x < real`.
    pub fn just_below(real: Rational) -> DeltaRational {
        DeltaRational::new(real, Rational::from(-1))
    }

    /// Whether the number is zero.
    pub fn is_zero(&self) -> bool {
        self.real.is_zero() && self.delta.is_zero()
    }

    /// Whether the number is rational, that is, without an infinitesimal part.
    pub fn is_rational(&self) -> bool {
        self.delta.is_zero()
    }

    /// Whether the number is an integer.
    pub fn is_integer(&self) -> bool {
        self.is_rational() && self.real.is_integer()
    }

    /// The sign: -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.real.signum() {
            0 => self.delta.signum(),
            sign => sign,
        }
    }

    /// The greatest integer that is not greater.
    pub fn floor(&self) -> Rational {
        let floor = self.real.floor();
        if self.real.is_integer() && self.delta.is_negative() {
            floor - Rational::one()
        } else {
            floor
        }
    }

    /// The least integer that is not less.
    pub fn ceil(&self) -> Rational {
        let ceil = self.real.ceil();
        if self.real.is_integer() && self.delta.is_positive() {
            ceil + Rational::one()
        } else {
            ceil
        }
    }

    /// `self += factor * other`.
    #[inline]
    pub fn add_mul(&mut self, factor: &Rational, other: &DeltaRational) {
        self.real.add_mul(factor, &other.real);
        if !other.delta.is_zero() {
            self.delta.add_mul(factor, &other.delta);
        }
    }

    /// The rational that the number becomes when δ is given the value `epsilon`.
    pub fn at(&self, epsilon: &Rational) -> Rational {
        let mut value = self.real.clone();
        value.add_mul(&self.delta, epsilon);
        value
    }

    /// For `self <= other`, the greatest `epsilon` such that `self.at(e) <= other.at(e)` for every
    /// `0 < e <= epsilon`; `None` if it holds for every positive `e`. The least of these over all
    /// bounds of a tableau makes a feasible assignment rational \[DdM06\].
    pub fn epsilon_bound(&self, other: &DeltaRational) -> Option<Rational> {
        debug_assert!(self <= other, "{self} is not at most {other}");
        (self.delta > other.delta)
            .then(|| (&other.real - &self.real) / (&self.delta - &other.delta))
    }
}

impl From<Rational> for DeltaRational {
    fn from(real: Rational) -> DeltaRational {
        DeltaRational::new(real, Rational::zero())
    }
}

impl Add<&DeltaRational> for &DeltaRational {
    type Output = DeltaRational;
    fn add(self, other: &DeltaRational) -> DeltaRational {
        DeltaRational::new(&self.real + &other.real, &self.delta + &other.delta)
    }
}

impl Sub<&DeltaRational> for &DeltaRational {
    type Output = DeltaRational;
    fn sub(self, other: &DeltaRational) -> DeltaRational {
        DeltaRational::new(&self.real - &other.real, &self.delta - &other.delta)
    }
}

impl AddAssign<&DeltaRational> for DeltaRational {
    fn add_assign(&mut self, other: &DeltaRational) {
        self.real += &other.real;
        self.delta += &other.delta;
    }
}

impl SubAssign<&DeltaRational> for DeltaRational {
    fn sub_assign(&mut self, other: &DeltaRational) {
        self.real -= &other.real;
        self.delta -= &other.delta;
    }
}

impl Mul<&Rational> for &DeltaRational {
    type Output = DeltaRational;
    fn mul(self, factor: &Rational) -> DeltaRational {
        DeltaRational::new(&self.real * factor, &self.delta * factor)
    }
}

/// Panics if the divisor is zero.
impl Div<&Rational> for &DeltaRational {
    type Output = DeltaRational;
    fn div(self, divisor: &Rational) -> DeltaRational {
        DeltaRational::new(&self.real / divisor, &self.delta / divisor)
    }
}

impl Neg for &DeltaRational {
    type Output = DeltaRational;
    fn neg(self) -> DeltaRational {
        DeltaRational::new(-&self.real, -&self.delta)
    }
}

/// `a`, `a + b·δ` or `a - b·δ`.
impl fmt::Display for DeltaRational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.delta.signum() {
            0 => write!(f, "{}", self.real),
            1 => write!(f, "{} + {}·δ", self.real, self.delta),
            _ => write!(f, "{} - {}·δ", self.real, self.delta.abs()),
        }
    }
}

impl fmt::Debug for DeltaRational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
