//! What tests on floating-point numbers say of the intervals of their operands.

use super::interval::{Interval, Intervals, Look};
use crate::cfront::float::Format;
use crate::cfront::ir::{Expr, FloatOp};

/// The interval with both zeros if it has one.
fn with_zeros(of: Interval) -> Interval {
    Interval {
        lo: if of.lo == 0 { -1 } else { of.lo },
        hi: if of.hi == -1 { 0 } else { of.hi },
    }
}

impl Look<'_> {
    /// What is known where a test is 1 (`wanted`), or 0; `None` where it cannot be.
    pub(super) fn assume_float(
        &self,
        known: &Intervals,
        op: FloatOp,
        operands: &[Expr],
        wanted: bool,
    ) -> Option<Intervals> {
        let Some(ty) = operands.first().map(|operand| operand.ty) else {
            return Some(known.clone());
        };
        let infinity = Format::of(ty).infinity();
        let numbers = Interval {
            lo: !infinity,
            hi: infinity,
        };
        let may_be_nan = operands.iter().any(|operand| {
            let value = self.value(known, operand);
            value.lo < numbers.lo || value.hi > numbers.hi
        });
        match (op, operands, wanted) {
            (FloatOp::Less, [a, b], true) => self.ordered(known, [a, b], numbers, true),
            (FloatOp::AtMost, [a, b], true) => self.ordered(known, [a, b], numbers, false),
            (FloatOp::Less, [a, b], false) if !may_be_nan => {
                self.ordered(known, [b, a], numbers, false)
            }
            (FloatOp::AtMost, [a, b], false) if !may_be_nan => {
                self.ordered(known, [b, a], numbers, true)
            }
            (FloatOp::Equal, [a, b], true) | (FloatOp::Differ, [a, b], false) => {
                let (x, y) = (self.value(known, a), self.value(known, b));
                let both = with_zeros(x).meet(with_zeros(y))?.meet(numbers)?;
                let known = self.narrow(known, a, both)?;
                self.narrow(&known, b, both)
            }
            (FloatOp::IsNan, [_], true) if !may_be_nan => None,
            (FloatOp::IsNan, [a], false) => self.narrow(known, a, numbers),
            _ => Some(known.clone()),
        }
    }

    /// What is known where one number is less than another, or at most it.
    fn ordered(
        &self,
        known: &Intervals,
        [a, b]: [&Expr; 2],
        numbers: Interval,
        is_strict: bool,
    ) -> Option<Intervals> {
        let x = self.value(known, a).meet(numbers)?;
        let y = self.value(known, b).meet(numbers)?;
        let (most, least) = match is_strict {
            true => (
                if y.hi == 0 { -2 } else { y.hi - 1 },
                if x.lo == -1 { 1 } else { x.lo + 1 },
            ),
            false => (with_zeros(y).hi, with_zeros(x).lo),
        };
        let below = x.meet(Interval {
            lo: i128::MIN,
            hi: most,
        })?;
        let above = y.meet(Interval {
            lo: least,
            hi: i128::MAX,
        })?;
        let known = self.narrow(known, a, below)?;
        self.narrow(&known, b, above)
    }

    /// The operand of an operation whose result is in an interval; `None` where that says nothing.
    pub(super) fn before(
        &self,
        known: &Intervals,
        op: FloatOp,
        operands: &[Expr],
        result: Interval,
    ) -> Option<Interval> {
        let [operand] = operands else {
            return None;
        };
        let own = self.value(known, operand);
        match op {
            FloatOp::Negate => Some(Interval {
                lo: !result.hi,
                hi: !result.lo,
            }),
            FloatOp::Absolute => Some(Interval {
                lo: !result.hi,
                hi: result.hi,
            }),
            // Conversion to a wider format is exact and keeps the order: the ends are moved while
            // that is a small step, and NaNs are left alone.
            FloatOp::Resize if operand.ty.bits == 32 => {
                let (narrow, wide) = (Format { bits: 32 }, Format { bits: 64 });
                if wide.is_nan(result.lo) || wide.is_nan(result.hi) {
                    return None;
                }
                let of = |key: i128| narrow.rounded(wide.number(key));
                let (mut lo, mut hi) = (of(result.lo), of(result.hi));
                lo += i128::from(wide.rounded(narrow.number(lo)) < result.lo);
                hi -= i128::from(wide.rounded(narrow.number(hi)) > result.hi);
                Some(Interval { lo, hi }).filter(|found| found.lo <= found.hi)
            }
            _ => Some(own),
        }
    }
}
