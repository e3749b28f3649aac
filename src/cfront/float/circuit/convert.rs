//! Rounding to whole numbers, and conversions between formats and from and to integers.

use super::{Circuit, Raw};
use crate::cfront::float::Format;
use crate::cfront::ir::Rounding;
use crate::cfront::types::IntType;
use crate::term::{BvOp, Term};

impl Circuit<'_> {
    /// A whole number.
    pub(super) fn whole(&self, a: Term, way: Rounding) -> Term {
        let t = self.t;
        let (width, precision) = (self.format.bits, self.format.precision());
        let all = width - 1;
        let magnitude = self.magnitude(a);
        let one = self.number(self.format.bias() << (precision - 1), all);
        let field = self.bits(a, width - 2, precision - 1);
        // Bits behind the point, where some are before it.
        let place = self.format.bias() + i128::from(precision) - 1;
        let behind = self.sub(self.number(place, self.format.exponent()), field);
        let by = self.longer(behind, all - self.format.exponent());
        let unit = t.bv(BvOp::Shl, &[self.number(1, all), by]);
        let mask = self.sub(unit, self.number(1, all));
        let down = t.bv(BvOp::And, &[magnitude, t.bv(BvOp::Not, &[mask])]);
        let rest = t.bv(BvOp::And, &[magnitude, mask]);
        let is_whole = self.is_zero(rest, all);
        let half = t.bv(BvOp::Lshr, &[unit, self.number(1, all)]);
        let negative = self.is_negative(a);
        let is_small = t.bv(BvOp::Ult, &[magnitude, one]);
        let zero = self.number(0, all);
        let no_rest = self.is_zero(magnitude, all);
        let least_half = self.number((self.format.bias() - 1) << (precision - 1), all);
        let is_odd = t.not(self.is_zero(t.bv(BvOp::And, &[down, unit]), all));
        let (away, small_away) = match way {
            Rounding::ToZero => (Term::FALSE, Term::FALSE),
            Rounding::Down => (
                t.and([negative, t.not(is_whole)]),
                t.and([negative, t.not(no_rest)]),
            ),
            Rounding::Up => {
                let positive = t.not(negative);
                (
                    t.and([positive, t.not(is_whole)]),
                    t.and([positive, t.not(no_rest)]),
                )
            }
            Rounding::Nearest => (
                t.bv(BvOp::Ule, &[half, rest]),
                t.bv(BvOp::Ule, &[least_half, magnitude]),
            ),
            Rounding::ToEven => (
                t.or([
                    t.bv(BvOp::Ult, &[half, rest]),
                    t.and([t.eq(half, rest), is_odd]),
                ]),
                t.bv(BvOp::Ult, &[least_half, magnitude]),
            ),
        };
        let up = t.ite(away, self.add(down, unit), down);
        let small = t.ite(small_away, one, zero);
        let result = self.signed(negative, t.ite(is_small, small, up));
        let limit = self.number(
            (self.format.bias() + i128::from(precision) - 1) << (precision - 1),
            all,
        );
        let is_large = t.bv(BvOp::Ule, &[limit, magnitude]);
        let result = t.ite(is_large, a, result);
        t.ite(self.is_nan(a), self.nan(), result)
    }

    /// A number of another format.
    pub(super) fn resized(&self, a: Term, from: Format) -> Term {
        let t = self.t;
        let source = Circuit::new(t, from);
        let parts = source.parts(a);
        let eb = from.exponent().max(self.format.exponent()) + 2;
        let exponent = self.longer(parts.exponent, eb - from.exponent());
        let shift = self.number(self.format.bias() - from.bias(), eb);
        let least = self.format.precision() + 2;
        let more = least.saturating_sub(from.precision());
        let raw = Raw {
            negative: parts.negative,
            exponent: self.add(exponent, shift),
            significand: self.padded(parts.significand, more),
            width: from.precision() + more,
        };
        let zero = self.is_zero(source.magnitude(a), from.bits - 1);
        let special = [source.is_nan(a), source.is_infinite(a), zero];
        self.chosen(&raw, eb, special)
    }

    /// An integer, rounded.
    pub(super) fn of_integer(&self, a: Term, from: IntType) -> Term {
        let t = self.t;
        let negative = match from.signed {
            true => self.is_set(a, from.bits - 1),
            false => Term::FALSE,
        };
        let absolute = t.ite(negative, t.bv(BvOp::Neg, &[a]), a);
        let least = self.format.precision() + 2;
        let more = least.saturating_sub(from.bits);
        let eb = self.format.exponent() + 2;
        let top = i128::from(from.bits) - 1 + self.format.bias();
        let raw = Raw {
            negative,
            exponent: self.number(top, eb),
            significand: self.padded(absolute, more),
            width: from.bits + more,
        };
        let zero = self.number(0, self.format.bits);
        let number = self.rounded(&raw, eb, true);
        t.ite(self.is_zero(a, from.bits), zero, number)
    }

    /// The integer of a number, towards zero; any where the type does not hold it.
    pub(super) fn integer(&self, a: Term, to: IntType) -> Term {
        let t = self.t;
        let (precision, bits) = (self.format.precision(), to.bits);
        let parts = self.parts(a);
        let eb = self.format.exponent();
        let bias = self.number(self.format.bias(), eb);
        let is_small = t.bv(BvOp::Ult, &[parts.exponent, bias]);
        let width = precision + bits.max(eb);
        let by = self.longer(self.sub(parts.exponent, bias), width - eb);
        let significand = self.longer(parts.significand, width - precision);
        let moved = t.bv(BvOp::Shl, &[significand, by]);
        let absolute = self.bits(moved, precision + bits - 2, precision - 1);
        let absolute = t.ite(is_small, self.number(0, bits), absolute);
        t.ite(parts.negative, t.bv(BvOp::Neg, &[absolute]), absolute)
    }
}
