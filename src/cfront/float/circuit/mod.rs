//! Operations on floating-point numbers as terms over bit-vectors: as hardware does them. Numbers
//! are patterns here.
//!
//! A result is made of a significand that is longer than that of the format, with the sum of what
//! was cut off in its last bit, and is rounded in one place ([`Circuit::rounded`]).
//!
//! `convert` has the conversions, and rounding to whole numbers.

mod convert;

use super::Format;
use crate::cfront::ir::FloatOp;
use crate::cfront::types::IntType;
use crate::term::{BvOp, Term, Terms};
use num_bigint::BigInt;

/// Builds operations on numbers of a format.
#[derive(Clone, Copy)]
pub(crate) struct Circuit<'t> {
    t: &'t Terms,
    format: Format,
}

/// A number that is neither infinite nor a NaN: its value is that of the significand, which has one
/// bit before the point, times 2 to the power of the exponent less the bias.
#[derive(Clone, Copy)]
struct Parts {
    negative: Term,
    exponent: Term,
    significand: Term,
}

/// A result before it is rounded: a significand of this number of bits. Exponents are signed.
struct Raw {
    negative: Term,
    exponent: Term,
    significand: Term,
    width: u32,
}

impl<'t> Circuit<'t> {
    pub(crate) fn new(t: &'t Terms, format: Format) -> Self {
        Circuit { t, format }
    }

    /// The key of a pattern, and the pattern of a key.
    pub(crate) fn flipped(&self, bits: Term) -> Term {
        let (t, width) = (self.t, self.format.bits);
        let mask = self.number((1 << (width - 1)) - 1, width);
        let negative = t.bv(BvOp::Slt, &[bits, self.number(0, width)]);
        t.ite(negative, t.bv(BvOp::Xor, &[bits, mask]), bits)
    }

    /// The pattern of the result of an operation that rounds; of conversions from integers, the
    /// operand is one of type `from`, and to integers, the result is one of type `to`.
    pub(crate) fn result(
        &self,
        op: FloatOp,
        operands: &[Term],
        from: IntType,
        to: IntType,
    ) -> Option<Term> {
        Some(match (op, operands) {
            (FloatOp::Add, &[a, b]) => self.sum(a, b),
            (FloatOp::Multiply, &[a, b]) => self.product(a, b),
            (FloatOp::Divide, &[a, b]) => self.quotient(a, b),
            (FloatOp::Root, &[a]) => self.root(a),
            (FloatOp::Round(way), &[a]) => self.whole(a, way),
            (FloatOp::Resize, &[a]) => self.resized(a, Format::of(from)),
            (FloatOp::FromInt, &[a]) => self.of_integer(a, from),
            (FloatOp::ToInt, &[a]) => self.integer(a, to),
            _ => return None,
        })
    }

    /// A bit-vector of a number.
    fn number(&self, value: i128, width: u32) -> Term {
        self.t.bitvec(&BigInt::from(value), width)
    }

    fn add(&self, a: Term, b: Term) -> Term {
        self.t.bv(BvOp::Add, &[a, b])
    }

    fn sub(&self, a: Term, b: Term) -> Term {
        self.add(a, self.t.bv(BvOp::Neg, &[b]))
    }

    fn bits(&self, a: Term, hi: u32, lo: u32) -> Term {
        self.t.bv(BvOp::Extract { hi, lo }, &[a])
    }

    fn is_set(&self, a: Term, at: u32) -> Term {
        self.t.eq(self.bits(a, at, at), self.number(1, 1))
    }

    fn bit(&self, truth: Term) -> Term {
        self.t.ite(truth, self.number(1, 1), self.number(0, 1))
    }

    fn is_zero(&self, a: Term, width: u32) -> Term {
        self.t.eq(a, self.number(0, width))
    }

    /// An unsigned number with this number of bits more.
    fn longer(&self, a: Term, by: u32) -> Term {
        match by {
            0 => a,
            by => self.t.bv(BvOp::ZeroExtend(by), &[a]),
        }
    }

    /// With this number of zeros at the end.
    fn padded(&self, a: Term, by: u32) -> Term {
        match by {
            0 => a,
            by => self.t.bv(BvOp::Concat, &[a, self.number(0, by)]),
        }
    }

    /// Shifted to the left by a constant.
    fn moved_up(&self, a: Term, width: u32, by: u32) -> Term {
        self.padded(self.bits(a, width - by - 1, 0), by)
    }

    /// Shifted to the right. The last bit is also 1 where a 1 is lost.
    fn moved_down(&self, a: Term, width: u32, by: Term) -> Term {
        let t = self.t;
        let moved = t.bv(BvOp::Lshr, &[a, by]);
        let back = t.bv(BvOp::Shl, &[moved, by]);
        let lost = self.bit(t.not(t.eq(back, a)));
        t.bv(BvOp::Or, &[moved, self.longer(lost, width - 1)])
    }

    /// All bits but the sign.
    fn magnitude(&self, pattern: Term) -> Term {
        self.bits(pattern, self.format.bits - 2, 0)
    }

    fn is_negative(&self, pattern: Term) -> Term {
        self.is_set(pattern, self.format.bits - 1)
    }

    fn infinity(&self) -> Term {
        self.number(self.format.infinity(), self.format.bits - 1)
    }

    fn is_nan(&self, pattern: Term) -> Term {
        let magnitude = self.magnitude(pattern);
        self.t.bv(BvOp::Ult, &[self.infinity(), magnitude])
    }

    fn is_infinite(&self, pattern: Term) -> Term {
        self.t.eq(self.magnitude(pattern), self.infinity())
    }

    fn nan(&self) -> Term {
        self.number(self.format.nan(), self.format.bits)
    }

    fn signed(&self, negative: Term, magnitude: Term) -> Term {
        self.t.bv(BvOp::Concat, &[self.bit(negative), magnitude])
    }

    /// The parts of a number.
    fn parts(&self, pattern: Term) -> Parts {
        let t = self.t;
        let (width, precision) = (self.format.bits, self.format.precision());
        let (eb, field) = (
            self.format.exponent(),
            self.bits(pattern, width - 2, precision - 1),
        );
        let subnormal = self.is_zero(field, eb);
        let leading = self.bit(t.not(subnormal));
        let fraction = self.bits(pattern, precision - 2, 0);
        Parts {
            negative: self.is_negative(pattern),
            exponent: t.ite(subnormal, self.number(1, eb), field),
            significand: t.bv(BvOp::Concat, &[leading, fraction]),
        }
    }

    /// The significand moved up until its leading bit is set, or the exponent, which is signed and
    /// has `eb` bits, would be less than `least`.
    fn normal(
        &self,
        (significand, width): (Term, u32),
        (exponent, eb): (Term, u32),
        least: i128,
    ) -> (Term, Term) {
        let t = self.t;
        let (mut significand, mut exponent) = (significand, exponent);
        let mut by = width.next_power_of_two() / 2;
        while by > 0 {
            let lowest = self.number(least + i128::from(by), eb);
            let is_zero = self.is_zero(self.bits(significand, width - 1, width - by), by);
            let can = t.and([is_zero, t.bv(BvOp::Sle, &[lowest, exponent])]);
            let up = self.moved_up(significand, width, by);
            let less = self.sub(exponent, self.number(i128::from(by), eb));
            significand = t.ite(can, up, significand);
            exponent = t.ite(can, less, exponent);
            by /= 2;
        }
        (significand, exponent)
    }

    /// The pattern of a result that is not zero, rounded. Exponents have `eb` bits, and with
    /// `is_large` they are 1 at least.
    fn rounded(&self, raw: &Raw, eb: u32, is_large: bool) -> Term {
        let t = self.t;
        let (precision, width) = (self.format.precision(), raw.width);
        let (mut significand, mut exponent) =
            self.normal((raw.significand, width), (raw.exponent, eb), 1);
        if !is_large {
            let one = self.number(1, eb);
            let is_small = t.bv(BvOp::Slt, &[exponent, one]);
            let distance = self.sub(one, exponent);
            // Where it is so small that nothing is left, the last bit is.
            let most = self.number(i128::from(width), eb);
            let is_far = t.bv(BvOp::Ult, &[most, distance]);
            let distance = t.ite(is_far, most, distance);
            let by = match width.checked_sub(eb) {
                Some(more) => self.longer(distance, more),
                None => self.bits(distance, width - 1, 0),
            };
            let down = self.moved_down(significand, width, by);
            significand = t.ite(is_small, down, significand);
            exponent = t.ite(is_small, one, exponent);
        }
        let cut = width - precision;
        let kept = self.bits(significand, width - 1, cut);
        let half = self.is_set(significand, cut - 1);
        let below = match cut {
            1 => Term::FALSE,
            cut => t.not(self.is_zero(self.bits(significand, cut - 2, 0), cut - 1)),
        };
        let up = t.and([half, t.or([below, self.is_set(kept, 0)])]);
        // The leading bit adds one to the exponent, as does a significand that has become longer.
        let all = self.format.bits - 1;
        let field = self.sub(exponent, self.number(1, eb));
        let field = self.bits(field, self.format.exponent() - 1, 0);
        let field = self.padded(field, precision - 1);
        let kept = self.longer(kept, all - precision);
        let sum = self.add(self.add(field, kept), self.longer(self.bit(up), all - 1));
        let highest = self.number((1 << self.format.exponent()) - 1, eb);
        let is_over = t.bv(BvOp::Sle, &[highest, exponent]);
        self.signed(raw.negative, t.ite(is_over, self.infinity(), sum))
    }

    fn sum(&self, a: Term, b: Term) -> Term {
        let t = self.t;
        let (precision, eb) = (self.format.precision(), self.format.exponent());
        let swapped = t.bv(BvOp::Ult, &[self.magnitude(a), self.magnitude(b)]);
        let (x, y) = (t.ite(swapped, b, a), t.ite(swapped, a, b));
        let (large, small) = (self.parts(x), self.parts(y));
        // One bit before for a carry, three behind.
        let width = precision + 4;
        let place = |significand| self.longer(self.padded(significand, 3), 1);
        let distance = self.sub(large.exponent, small.exponent);
        let distance = self.longer(distance, width - eb);
        let moved = self.moved_down(place(small.significand), width, distance);
        let differ = t.xor(large.negative, small.negative);
        let minus = t.bv(BvOp::Neg, &[moved]);
        let sum = self.add(place(large.significand), t.ite(differ, minus, moved));
        let eb = eb + 2;
        let exponent = self.add(self.longer(large.exponent, 2), self.number(1, eb));
        let raw = Raw {
            negative: large.negative,
            exponent,
            significand: sum,
            width,
        };
        let both_negative = t.and([large.negative, small.negative]);
        let zero = self.signed(both_negative, self.number(0, self.format.bits - 1));
        let finite = t.ite(self.is_zero(sum, width), zero, self.rounded(&raw, eb, true));
        let nan = t.or([
            self.is_nan(a),
            self.is_nan(b),
            t.and([self.is_infinite(x), self.is_infinite(y), differ]),
        ]);
        let number = t.ite(self.is_infinite(x), x, finite);
        t.ite(nan, self.nan(), number)
    }

    fn product(&self, a: Term, b: Term) -> Term {
        let t = self.t;
        let (precision, eb) = (self.format.precision(), self.format.exponent() + 2);
        let (x, y) = (self.parts(a), self.parts(b));
        let width = 2 * precision;
        let wide = |significand| self.longer(significand, precision);
        let product = t.bv(BvOp::Mul, &[wide(x.significand), wide(y.significand)]);
        let sum = self.add(self.longer(x.exponent, 2), self.longer(y.exponent, 2));
        let raw = Raw {
            negative: t.xor(x.negative, y.negative),
            exponent: self.add(sum, self.number(1 - self.format.bias(), eb)),
            significand: product,
            width,
        };
        let (magnitude_a, magnitude_b) = (self.magnitude(a), self.magnitude(b));
        let all = self.format.bits - 1;
        let (no_a, no_b) = (
            self.is_zero(magnitude_a, all),
            self.is_zero(magnitude_b, all),
        );
        let infinite = t.or([self.is_infinite(a), self.is_infinite(b)]);
        let zero = t.or([no_a, no_b]);
        let nan = t.or([self.is_nan(a), self.is_nan(b), t.and([infinite, zero])]);
        self.chosen(&raw, eb, [nan, infinite, zero])
    }

    fn quotient(&self, a: Term, b: Term) -> Term {
        let t = self.t;
        let (precision, eb) = (self.format.precision(), self.format.exponent() + 2);
        let least = -i128::from(1_u32 << (eb - 2));
        let normal = |parts: Parts| {
            let exponent = self.longer(parts.exponent, 2);
            self.normal((parts.significand, precision), (exponent, eb), least)
        };
        let (x, y) = (self.parts(a), self.parts(b));
        let ((dividend, above), (divisor, below)) = (normal(x), normal(y));
        // Two bits more than the significand, one of which may be before its leading bit.
        let more = precision + 2;
        let dividend = self.padded(dividend, more);
        let divisor = self.longer(divisor, more);
        let quotient = t.bv(BvOp::Udiv, &[dividend, divisor]);
        let rest = t.bv(BvOp::Urem, &[dividend, divisor]);
        let exact = self.is_zero(rest, precision + more);
        let quotient = self.bits(quotient, more, 0);
        let significand = t.bv(BvOp::Concat, &[quotient, self.bit(t.not(exact))]);
        let distance = self.sub(above, below);
        let raw = Raw {
            negative: t.xor(x.negative, y.negative),
            exponent: self.add(distance, self.number(self.format.bias(), eb)),
            significand,
            width: more + 2,
        };
        let all = self.format.bits - 1;
        let no_a = self.is_zero(self.magnitude(a), all);
        let no_b = self.is_zero(self.magnitude(b), all);
        let (large_a, large_b) = (self.is_infinite(a), self.is_infinite(b));
        let nan = t.or([
            self.is_nan(a),
            self.is_nan(b),
            t.and([no_a, no_b]),
            t.and([large_a, large_b]),
        ]);
        let infinite = t.or([large_a, no_b]);
        self.chosen(&raw, eb, [nan, infinite, t.or([no_a, large_b])])
    }

    /// A NaN, infinity or zero where one of these holds, or else a rounded result.
    fn chosen(&self, raw: &Raw, eb: u32, [nan, infinite, zero]: [Term; 3]) -> Term {
        let t = self.t;
        let none = self.signed(raw.negative, self.number(0, self.format.bits - 1));
        let infinity = self.signed(raw.negative, self.infinity());
        let number = t.ite(zero, none, self.rounded(raw, eb, false));
        t.ite(nan, self.nan(), t.ite(infinite, infinity, number))
    }

    /// The square root, digit by digit.
    fn root(&self, a: Term) -> Term {
        let t = self.t;
        let (precision, eb) = (self.format.precision(), self.format.exponent() + 2);
        let least = -i128::from(1_u32 << (eb - 2));
        let x = self.parts(a);
        let exponent = self.longer(x.exponent, 2);
        let (significand, exponent) =
            self.normal((x.significand, precision), (exponent, eb), least);
        let unbiased = self.sub(exponent, self.number(self.format.bias(), eb));
        let is_odd = self.is_set(unbiased, 0);
        // As many digits as the significand has, and two more.
        let digits = precision + 2;
        let place = self.longer(significand, 1);
        let place = t.ite(is_odd, self.moved_up(place, precision + 1, 1), place);
        let square = self.padded(place, 2 * digits - precision - 1);
        let width = digits + 2;
        let (mut rest, mut root) = (self.number(0, width), self.number(0, width));
        for at in (0..digits).rev() {
            let next = self.bits(square, 2 * at + 1, 2 * at);
            rest = t.bv(BvOp::Concat, &[self.bits(rest, width - 3, 0), next]);
            let tried = self.bits(root, width - 3, 0);
            let tried = t.bv(BvOp::Concat, &[tried, self.number(1, 2)]);
            let fits = t.bv(BvOp::Ule, &[tried, rest]);
            rest = t.ite(fits, self.sub(rest, tried), rest);
            let before = self.bits(root, width - 2, 0);
            root = t.bv(BvOp::Concat, &[before, self.bit(fits)]);
        }
        let exact = self.is_zero(rest, width);
        let root = self.bits(root, digits - 1, 0);
        let half = t.bv(BvOp::Ashr, &[unbiased, self.number(1, eb)]);
        let raw = Raw {
            negative: Term::FALSE,
            exponent: self.add(half, self.number(self.format.bias(), eb)),
            significand: t.bv(BvOp::Concat, &[root, self.bit(t.not(exact))]),
            width: digits + 1,
        };
        let zero = self.is_zero(self.magnitude(a), self.format.bits - 1);
        let same = t.or([zero, t.eq(a, self.longer(self.infinity(), 1))]);
        let nan = t.or([self.is_nan(a), x.negative]);
        let number = t.ite(nan, self.nan(), self.rounded(&raw, eb, true));
        t.ite(same, a, number)
    }
}
