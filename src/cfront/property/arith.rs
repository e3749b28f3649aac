//! Operations that C gives no meaning: signed operations that leave their type, shifts by no amount
//! of bits that the type has, divisions by zero, and conversions of floating-point numbers to
//! integer types that have no value for them.
//!
//! The condition of a signed operation is a comparison in a type that holds every result, so that
//! it is the same over mathematical integers, integers that wrap around, and bit-vectors. A product
//! of two numbers of 64 bits is compared by quotients instead.

use super::build::{all, any, binary, choose, convert, not, within};
use crate::cfront::float::{Format, operation};
use crate::cfront::ir::{Binary, Expr, ExprKind, FloatOp};
use crate::cfront::types::IntType;

/// Types of up to 64 bits have a wider one.
const WIDEST: u32 = 64;

/// Where a signed operation leaves its type; `None` if it cannot.
pub(super) fn overflow(e: &Expr) -> Option<Expr> {
    let ty = e.ty;
    if !ty.signed || ty.bits > WIDEST || e.is_distance() {
        return None;
    }
    match &e.kind {
        ExprKind::Neg(a) => Some(equals(a, ty.min())),
        ExprKind::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
            // One bit more than the operands is enough.
            let wide = IntType::new(if ty.bits <= 32 { 64 } else { ty.bits + 2 }, true);
            Some(leaves(*op, a, b, ty, wide))
        }
        ExprKind::Binary(Binary::Mul, a, b) => Some(match (a.as_const(), b.as_const()) {
            (Some(factor), _) => not(factors(b, factor)),
            (_, Some(factor)) => not(factors(a, factor)),
            _ if ty.bits <= 32 => leaves(Binary::Mul, a, b, ty, IntType::new(64, true)),
            _ => not(fits_by_quotients(a, b)),
        }),
        ExprKind::Binary(Binary::Div | Binary::Rem, a, b) => {
            Some(all([equals(b, -1), equals(a, ty.min())]))
        }
        _ => None,
    }
}

/// Where a shift has no meaning; `None` if it always has one.
pub(super) fn shift(e: &Expr) -> Option<Expr> {
    let ExprKind::Binary(op @ (Binary::Shl | Binary::Shr), a, amount) = &e.kind else {
        return None;
    };
    let ty = e.ty;
    let possible = within(amount, 0, i128::from(ty.bits) - 1);
    if *op == Binary::Shr || !ty.signed {
        return Some(not(possible));
    }
    // In `a << n`, no bit of `a` that is 1 may be lost, and `a` must not be negative.
    let zero = Expr::constant(0, ty);
    let negative = binary(Binary::Lt, (**a).clone(), zero);
    let largest = match amount.as_const() {
        Some(n) if (0..i128::from(ty.bits)).contains(&n) => Expr::constant(ty.max() >> n, ty),
        _ => {
            // Where the amount is impossible, this part must have a value all the same.
            let zero = Expr::constant(0, amount.ty);
            let amount = choose(possible.clone(), (**amount).clone(), zero);
            binary(Binary::Shr, Expr::constant(ty.max(), ty), amount)
        }
    };
    let lost = binary(Binary::Lt, largest, (**a).clone());
    let lost = all([possible.clone(), lost]);
    Some(any([not(possible), negative, lost]))
}

/// Where an operation has no result because of an operand: a shift by no amount of bits that the
/// type has, or a conversion of a floating-point number to an integer type that has no value for
/// it. `None` if it always has one.
pub(super) fn no_result(e: &Expr) -> Option<Expr> {
    match &e.kind {
        ExprKind::Binary(Binary::Shl | Binary::Shr, _, amount) => {
            let last = i128::from(e.ty.bits) - 1;
            match amount.as_const() {
                Some(known) if (0..=last).contains(&known) => None,
                _ => Some(not(within(amount, 0, last))),
            }
        }
        ExprKind::Float(FloatOp::ToInt, operands) => {
            let number = operands.first()?;
            let (low, high) = Format::of(number.ty).within(e.ty);
            let bound = |key| Expr::constant(key, number.ty);
            let at_most = |x, y| operation(FloatOp::AtMost, vec![x, y], IntType::INT);
            // Of a NaN, neither holds.
            let above = at_most(bound(low), number.clone());
            let below = at_most(number.clone(), bound(high));
            Some(not(all([above, below])))
        }
        _ => None,
    }
}

/// Where a division is one by zero; `None` if it cannot be.
pub(super) fn division(e: &Expr) -> Option<Expr> {
    match &e.kind {
        ExprKind::Binary(Binary::Div | Binary::Rem, _, d) => Some(equals(d, 0)),
        _ => None,
    }
}

/// Is an expression this number?
fn equals(e: &Expr, value: i128) -> Expr {
    match e.as_const() {
        Some(known) => super::build::truth(known == value),
        None => binary(Binary::Eq, e.clone(), Expr::constant(value, e.ty)),
    }
}

/// Does the result of an operation, which is computed in a wide type, leave this one?
fn leaves(op: Binary, a: &Expr, b: &Expr, ty: IntType, wide: IntType) -> Expr {
    let (a, b) = (convert(a.clone(), wide), convert(b.clone(), wide));
    not(within(&binary(op, a, b), ty.min(), ty.max()))
}

/// Is the product with a constant in the type?
fn factors(e: &Expr, factor: i128) -> Expr {
    let (min, max) = (e.ty.min(), e.ty.max());
    match factor {
        0 | 1 => super::build::truth(true),
        -1 => within(e, -max, max),
        f if f > 0 => within(e, min / f, max / f),
        f => within(e, max / f, min / f),
    }
}

/// Is the product of two numbers in their type? Quotients of C are cut off towards zero, which
/// rounds each of these bounds to the inside.
fn fits_by_quotients(a: &Expr, b: &Expr) -> Expr {
    let ty = a.ty;
    let constant = |value| Expr::constant(value, ty);
    // Where the divisor is 0, the quotients must have values all the same.
    let divisor = choose(equals(b, 0), constant(1), b.clone());
    let quotient = |value| binary(Binary::Div, constant(value), divisor.clone());
    let at_most = |x: Expr, y: Expr| binary(Binary::Le, x, y);
    let positive = binary(Binary::Lt, constant(0), b.clone());
    let negative = binary(Binary::Lt, b.clone(), constant(-1));
    any([
        equals(b, 0),
        all([equals(b, -1), not(equals(a, ty.min()))]),
        all([
            positive,
            at_most(a.clone(), quotient(ty.max())),
            at_most(quotient(ty.min()), a.clone()),
        ]),
        all([
            negative,
            at_most(quotient(ty.max()), a.clone()),
            at_most(a.clone(), quotient(ty.min())),
        ]),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfront::ir::Lvalue;
    use crate::cfront::ir::ObjectId;
    use crate::cfront::types::CType;

    /// The value of an expression over two variables, as mathematical integers.
    fn value(e: &Expr, given: [i128; 2]) -> i128 {
        let of = |e: &Expr| value(e, given);
        let both = |a: &Expr, b: &Expr| of(a) != 0 && of(b) != 0;
        match &e.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Load(place) => match place.base {
                crate::cfront::ir::Base::Object(object) => given[object.0],
                crate::cfront::ir::Base::Deref(..) => unreachable!("there are no pointers"),
            },
            ExprKind::Convert(a) => of(a),
            ExprKind::Neg(a) => -of(a),
            ExprKind::Not(a) => i128::from(of(a) == 0),
            ExprKind::Choose(c, a, b) => match of(c) {
                0 => of(b),
                _ => of(a),
            },
            ExprKind::Both(a, b) => i128::from(both(a, b)),
            ExprKind::Either(a, b) => i128::from(of(a) != 0 || of(b) != 0),
            ExprKind::Binary(op, a, b) => {
                // An encoding cuts off runs where a part of a check has no value.
                let is_division = matches!(op, Binary::Div | Binary::Rem);
                assert!(!is_division || of(b) != 0, "a division by zero in a check");
                let is_shift = matches!(op, Binary::Shl | Binary::Shr);
                assert!(!is_shift || (0..64).contains(&of(b)), "a shift in a check");
                let (a, b) = (of(a), of(b));
                match op {
                    Binary::Add => a + b,
                    Binary::Sub => a - b,
                    Binary::Mul => a.saturating_mul(b),
                    Binary::Div => a / b,
                    Binary::Rem => a % b,
                    Binary::Shl => a << b,
                    Binary::Shr => a >> b,
                    Binary::Lt => i128::from(a < b),
                    Binary::Le => i128::from(a <= b),
                    Binary::Eq => i128::from(a == b),
                    Binary::Ne => i128::from(a != b),
                    Binary::And | Binary::Or | Binary::Xor => unreachable!("not made here"),
                }
            }
            _ => unreachable!("not made here"),
        }
    }

    #[test]
    fn conditions_are_those_of_the_results() {
        for ty in [IntType::INT, IntType::new(64, true)] {
            let operand =
                |at| super::super::build::load(Lvalue::of(ObjectId(at), CType::Int(ty)), ty);
            let edge = [ty.min(), ty.min() + 1, ty.max(), ty.max() - 1];
            let root = 1_i128 << (ty.bits / 2);
            let small = [
                -3,
                -2,
                -1,
                0,
                1,
                2,
                3,
                31,
                33,
                root,
                -root,
                root - 1,
                1 - root,
            ];
            let values: Vec<i128> = edge.into_iter().chain(small).collect();
            for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div] {
                for &x in &values {
                    for &y in &values {
                        if op == Binary::Div && y == 0 {
                            continue;
                        }
                        let exact = value(&binary(op, operand(0), operand(1)), [x, y]);
                        let expected = !(ty.min()..=ty.max()).contains(&exact);
                        let constant = Expr::constant(y, ty);
                        for e in [
                            binary(op, operand(0), operand(1)),
                            binary(op, operand(0), constant),
                        ] {
                            let found = overflow(&e).expect("a signed operation");
                            let found = value(&found, [x, y]) != 0;
                            assert_eq!(found, expected, "{op:?} of {x} and {y} in {ty:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn shifts_lose_no_bits() {
        let operand =
            |at| super::super::build::load(Lvalue::of(ObjectId(at), CType::INT), IntType::INT);
        for (x, n, expected) in [
            (1, 30, false),
            (1, 31, true),
            (1, 32, true),
            (1, -1, true),
            (-1, 0, true),
            (0, 31, false),
            (3, 29, false),
            (3, 30, true),
        ] {
            let e = binary(Binary::Shl, operand(0), operand(1));
            let found = shift(&e).expect("a shift");
            assert_eq!(value(&found, [x, n]) != 0, expected, "{x} << {n}");
        }
    }
}
