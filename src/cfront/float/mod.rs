//! Floating-point numbers of IEEE 754 in 32 and 64 bits, as the encoding has them: numbered in
//! their order.
//!
//! The *key* of a number is its bit pattern as a signed integer, with all bits but the sign
//! complemented where the sign is set. This maps the patterns of a format to the integers of as
//! many bits, each to one: the order is that of `totalOrder` in IEEE 754. `+0` has the key 0, `-0`
//! the key -1; the keys from that of minus infinity to that of infinity are those of numbers, and
//! all others are NaNs. So a comparison is one of integers but for NaNs and the two zeros,
//! `-x` has the key `-1 - k`, and zeroed memory is 0.
//!
//! Operations round to the nearest number, ties to even, and without more precision between
//! (`FLT_EVAL_METHOD` is 0). An operation whose result is a NaN gives one NaN. The sign of a NaN
//! is the machine's choice, and is over-approximated where a program asks for it.

mod bounds;
mod build;
mod circuit;
mod literal;

pub(crate) use bounds::bounds;
pub(crate) use build::{converted, is_not_zero, operation, passed_as};
pub(crate) use circuit::Circuit;
pub(crate) use literal::{extended, hexadecimal};

use super::ir::{FloatOp, Rounding};
use super::types::IntType;

/// A format: the type of its keys, which has its number of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    pub(crate) bits: u32,
}

impl Format {
    pub(crate) fn of(ty: IntType) -> Format {
        Format { bits: ty.bits }
    }

    /// The bits of a significand, the one before the point included.
    pub(crate) fn precision(self) -> u32 {
        if self.bits == 32 { 24 } else { 53 }
    }

    /// The bits of an exponent.
    pub(crate) fn exponent(self) -> u32 {
        self.bits - self.precision()
    }

    pub(crate) fn bias(self) -> i128 {
        (1 << (self.exponent() - 1)) - 1
    }

    /// The key, and the pattern, of infinity.
    pub(crate) fn infinity(self) -> i128 {
        ((1 << self.exponent()) - 1) << (self.precision() - 1)
    }

    /// The key of the NaN that operations give.
    pub(crate) fn nan(self) -> i128 {
        self.infinity() | 1 << (self.precision() - 2)
    }

    pub(crate) fn is_nan(self, key: i128) -> bool {
        key > self.infinity() || key < !self.infinity()
    }

    /// The key of a pattern, and the pattern of a key as a signed number.
    fn flipped(self, bits: i128) -> i128 {
        match bits < 0 {
            true => bits ^ ((1 << (self.bits - 1)) - 1),
            false => bits,
        }
    }

    pub(crate) fn pattern(self, key: i128) -> u64 {
        let pattern = self.flipped(key).rem_euclid(1 << self.bits);
        u64::try_from(pattern).expect("a pattern has 64 bits at most")
    }

    pub(crate) fn key(self, pattern: u64) -> i128 {
        let signed = match self.bits {
            32 => i128::from(pattern as u32 as i32),
            _ => i128::from(pattern as i64),
        };
        self.flipped(signed)
    }

    /// The number of a key; exactly, also of the narrower format.
    pub(crate) fn number(self, key: i128) -> f64 {
        let pattern = self.pattern(key);
        match self.bits {
            32 => f64::from(f32::from_bits(pattern as u32)),
            _ => f64::from_bits(pattern),
        }
    }

    /// The key of a number, rounded to the format; of each NaN the same.
    pub(crate) fn rounded(self, number: f64) -> i128 {
        match self.bits {
            _ if number.is_nan() => self.nan(),
            32 => self.key(u64::from((number as f32).to_bits())),
            _ => self.key(number.to_bits()),
        }
    }

    /// The key of an operation's result, which is computed in the format.
    fn computed(
        self,
        first: i128,
        second: i128,
        narrow: fn(f32, f32) -> f32,
        wide: fn(f64, f64) -> f64,
    ) -> i128 {
        let patterns = [first, second].map(|key| self.pattern(key));
        if self.bits == 32 {
            let [x, y] = patterns.map(|pattern| f32::from_bits(pattern as u32));
            return self.rounded(f64::from(narrow(x, y)));
        }
        let [x, y] = patterns.map(f64::from_bits);
        self.rounded(wide(x, y))
    }

    /// The key of an integer, rounded.
    pub(crate) fn of_integer(self, value: i128) -> i128 {
        match self.bits {
            32 => self.key(u64::from((value as f32).to_bits())),
            _ => self.key((value as f64).to_bits()),
        }
    }

    /// The keys of the numbers that an integer type holds after truncation.
    pub(crate) fn within(self, ty: IntType) -> (i128, i128) {
        // Between a bound and the number beside it no number is left out.
        let (low, high) = (ty.min() - 1, ty.max() + 1);
        let (first, last) = (self.of_integer(low), self.of_integer(high));
        let is_exact = self.number(first) as i128 == low;
        (first + i128::from(is_exact), last - 1)
    }

    /// A number as C writes it; one of 32 bits ends with `f`.
    pub(crate) fn text(self, key: i128) -> String {
        let pattern = self.pattern(key);
        let suffix = if self.bits == 32 { "f" } else { "" };
        let number = self.number(key);
        let sign = if key < 0 { "-" } else { "" };
        if number.is_nan() {
            format!("{sign}nan{suffix}")
        } else if number.is_infinite() {
            format!("{sign}infinity{suffix}")
        } else if self.bits == 32 {
            format!("{:?}f", f32::from_bits(pattern as u32))
        } else {
            format!("{number:?}")
        }
    }
}

/// The format and the pattern of a number that [`Format::text`] has written; `None` of other texts.
pub(crate) fn pattern_of_text(text: &str) -> Option<(Format, u64)> {
    let is_float = text.contains(['.', 'e']) || text.ends_with(['n', 'y', 'f']);
    if !is_float {
        return None;
    }
    Some(match text.strip_suffix('f') {
        Some(text) => (
            Format { bits: 32 },
            u64::from(text.parse::<f32>().ok()?.to_bits()),
        ),
        None => (Format { bits: 64 }, text.parse::<f64>().ok()?.to_bits()),
    })
}

/// The result of an operation on constants: a key, an integer, or 1 or 0, as the operation has it;
/// `None` where it has none that the language determines.
pub(crate) fn fold(op: FloatOp, ty: IntType, operands: &[(i128, IntType)]) -> Option<i128> {
    let &(first, from) = operands.first()?;
    let format = Format::of(from);
    let truth = |holds: bool| Some(i128::from(holds));
    let x = format.number(first);
    let y = operands.get(1).map(|&(key, _)| format.number(key));
    match op {
        FloatOp::FromInt => Some(Format::of(ty).of_integer(first)),
        FloatOp::ToInt => {
            let (low, high) = format.within(ty);
            (low..=high).contains(&first).then(|| x.trunc() as i128)
        }
        FloatOp::Resize => Some(Format::of(ty).rounded(x)),
        FloatOp::Negate => Some(!first),
        FloatOp::Absolute => Some(if first < 0 { !first } else { first }),
        FloatOp::IsNan => truth(x.is_nan()),
        FloatOp::IsNegative => (!x.is_nan()).then_some(i128::from(first < 0)),
        FloatOp::Less => truth(x < y?),
        FloatOp::AtMost => truth(x <= y?),
        FloatOp::Equal => truth(x == y?),
        FloatOp::Differ => truth(x != y?),
        FloatOp::Round(way) => Some(format.rounded(match way {
            Rounding::Down => x.floor(),
            Rounding::Up => x.ceil(),
            Rounding::ToZero => x.trunc(),
            Rounding::Nearest => x.round(),
            Rounding::ToEven => x.round_ties_even(),
        })),
        FloatOp::Root => Some(format.computed(first, first, |x, _| x.sqrt(), |x, _| x.sqrt())),
        FloatOp::Add | FloatOp::Multiply | FloatOp::Divide => {
            let second = operands.get(1)?.0;
            Some(match op {
                FloatOp::Add => format.computed(first, second, |x, y| x + y, |x, y| x + y),
                FloatOp::Multiply => format.computed(first, second, |x, y| x * y, |x, y| x * y),
                _ => format.computed(first, second, |x, y| x / y, |x, y| x / y),
            })
        }
    }
}

#[cfg(test)]
mod tests;
