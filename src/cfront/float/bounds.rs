//! Bounds of the results of operations, from bounds of the operands. Operations are monotonic in
//! the order of keys, rounding included, in each operand by itself; so extremes are at the ends.

use super::{Format, fold};
use crate::cfront::ir::FloatOp;
use crate::cfront::types::IntType;

/// The least and the greatest value.
type Range = (i128, i128);

/// The range of an operation's results, where the operands, with their types, are in these ranges.
pub(crate) fn bounds(op: FloatOp, ty: IntType, operands: &[(Range, IntType)]) -> Range {
    let whole = (ty.min(), ty.max());
    let Some(&(first, from)) = operands.first() else {
        return whole;
    };
    match op {
        FloatOp::Less
        | FloatOp::AtMost
        | FloatOp::Equal
        | FloatOp::Differ
        | FloatOp::IsNan
        | FloatOp::IsNegative => (0, 1),
        FloatOp::FromInt => {
            let format = Format::of(ty);
            (format.of_integer(first.0), format.of_integer(first.1))
        }
        FloatOp::ToInt => {
            let (low, high) = Format::of(from).within(ty);
            // Where the operand is out of range, the run has no meaning.
            let ends = [first.0.max(low), first.1.min(high)];
            let ends = ends.map(|end| fold(op, ty, &[(end, from)]));
            match ends {
                [Some(low), Some(high)] if low <= high => (low, high),
                _ => whole,
            }
        }
        FloatOp::Negate => (!first.1, !first.0),
        FloatOp::Absolute if first.0 >= 0 => first,
        FloatOp::Absolute if first.1 < 0 => (!first.1, !first.0),
        FloatOp::Absolute => (0, first.1.max(!first.0)),
        _ => rounded(op, ty, operands).unwrap_or(whole),
    }
}

/// The range of an operation that rounds. A result that may be a NaN is that of operations.
fn rounded(op: FloatOp, ty: IntType, operands: &[(Range, IntType)]) -> Option<Range> {
    let format = Format::of(operands.first()?.1);
    let infinity = format.infinity();
    let mut may_be_nan = false;
    let mut finite = Vec::new();
    for ((low, high), _) in operands {
        may_be_nan |= *low < !infinity || *high > infinity;
        let (low, high) = ((*low).max(!infinity), (*high).min(infinity));
        if low > high {
            return None;
        }
        finite.push((low, high));
    }
    let has_zero = |(low, high): Range| low <= 0 && high >= -1;
    let has_infinity = |(low, high): Range| low == !infinity || high == infinity;
    if let (FloatOp::Root, [a]) = (op, &mut finite[..]) {
        may_be_nan |= a.0 < -1;
        a.0 = a.0.max(-1);
    }
    // A NaN or a jump from one infinity to the other between the ends.
    let is_open = match (op, &finite[..]) {
        (FloatOp::Add, &[a, b]) => {
            (a.0 == !infinity && b.1 == infinity) || (a.1 == infinity && b.0 == !infinity)
        }
        (FloatOp::Multiply, &[a, b]) => {
            (has_zero(a) && has_infinity(b)) || (has_infinity(a) && has_zero(b))
        }
        (FloatOp::Divide, &[a, b]) => {
            let both_infinite = has_infinity(a) && has_infinity(b);
            has_zero(b) || both_infinite || (b.0 < 0) != (b.1 < 0)
        }
        (FloatOp::Root, &[a]) => a.0 > a.1,
        _ => false,
    };
    if is_open {
        return None;
    }
    let from = operands[0].1;
    let mut ends = Vec::new();
    for first in [finite[0].0, finite[0].1] {
        match finite.get(1) {
            None => ends.push(fold(op, ty, &[(first, from)])?),
            Some(&(low, high)) => {
                for second in [low, high] {
                    ends.push(fold(op, ty, &[(first, from), (second, from)])?);
                }
            }
        }
    }
    let nan = Format::of(ty).nan();
    if may_be_nan {
        ends.push(nan);
    }
    Some((*ends.iter().min()?, *ends.iter().max()?))
}
