//! Expressions on floating-point numbers.

use super::fold;
use crate::cfront::ir::{Expr, ExprKind, FloatOp};
use crate::cfront::types::IntType;

/// An operation with a result of this type. Constants are folded.
pub(crate) fn operation(op: FloatOp, operands: Vec<Expr>, ty: IntType) -> Expr {
    let constants = operands.iter().map(|e| Some((e.as_const()?, e.ty)));
    if let Some(constants) = constants.collect::<Option<Vec<_>>>()
        && let Some(value) = fold(op, ty, &constants)
    {
        return Expr::constant(value, ty);
    }
    let kind = ExprKind::Float(op, operands);
    Expr { kind, ty }
}

/// A number converted to a type, one of the two being floating.
pub(crate) fn converted(e: Expr, ty: IntType) -> Expr {
    let from = e.ty;
    match (from.float, ty.float) {
        _ if ty.boolean => {
            let kind = ExprKind::Convert(Box::new(is_not_zero(e)));
            Expr { kind, ty }
        }
        (true, true) => operation(FloatOp::Resize, vec![e], ty),
        (true, false) => operation(FloatOp::ToInt, vec![e], ty),
        _ => operation(FloatOp::FromInt, vec![e], ty),
    }
}

/// Is a number other than zero? A NaN is.
pub(crate) fn is_not_zero(e: Expr) -> Expr {
    let zero = Expr::constant(0, e.ty);
    operation(FloatOp::Differ, vec![e, zero], IntType::INT)
}

/// An argument as the parameter that it becomes. Where a function is defined further down, its
/// arguments are not converted yet.
pub(crate) fn passed_as(e: Expr, ty: Option<IntType>) -> Expr {
    match ty {
        Some(ty) if (e.ty.float || ty.float) && e.ty != ty => converted(e, ty),
        _ => e,
    }
}
