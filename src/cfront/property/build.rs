//! Expressions that checks are made of.

use crate::cfront::ir::{Binary, Expr, ExprKind, Lvalue, ObjectId};
use crate::cfront::types::{CType, IntType};

/// The value of a variable of the checks.
pub(super) fn variable(object: ObjectId, ty: IntType) -> Expr {
    load(Lvalue::of(object, CType::Int(ty)), ty)
}

/// Is a variable of the checks, an `int`, other than 0?
pub(super) fn is_on(object: ObjectId) -> Expr {
    let zero = Expr::constant(0, IntType::INT);
    binary(Binary::Ne, variable(object, IntType::INT), zero)
}

/// The value of a place.
pub(super) fn load(place: Lvalue, ty: IntType) -> Expr {
    let kind = ExprKind::Load(Box::new(place));
    Expr { kind, ty }
}

/// The address of a place, as a number of a type.
pub(super) fn address(place: Lvalue, ty: IntType) -> Expr {
    let kind = ExprKind::Address(Box::new(place));
    Expr { kind, ty }
}

/// An expression converted to a type.
pub(super) fn convert(e: Expr, ty: IntType) -> Expr {
    if e.ty == ty {
        return e;
    }
    if let Some(value) = e.as_const() {
        return Expr::constant(value, ty);
    }
    let kind = ExprKind::Convert(Box::new(e));
    Expr { kind, ty }
}

/// An operator on two operands of one type.
pub(super) fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    let ty = match op.is_comparison() {
        true => IntType::INT,
        false => a.ty,
    };
    let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
    Expr { kind, ty }
}

/// The first of two where the condition is other than 0, else the second.
pub(super) fn choose(condition: Expr, yes: Expr, no: Expr) -> Expr {
    let ty = yes.ty;
    let kind = ExprKind::Choose(Box::new(condition), Box::new(yes), Box::new(no));
    Expr { kind, ty }
}

/// 1 where the operand is 0, else 0.
pub(super) fn not(e: Expr) -> Expr {
    if let Some(value) = e.as_const() {
        return truth(value == 0);
    }
    if let ExprKind::Not(inner) = e.kind {
        return *inner;
    }
    let kind = ExprKind::Not(Box::new(e));
    let ty = IntType::INT;
    Expr { kind, ty }
}

/// 1 or 0.
pub(super) fn truth(value: bool) -> Expr {
    Expr::constant(i128::from(value), IntType::INT)
}

/// 1 where all of these are other than 0.
pub(super) fn all(list: impl IntoIterator<Item = Expr>) -> Expr {
    joined(list, true, ExprKind::Both)
}

/// 1 where one of these is other than 0.
pub(super) fn any(list: impl IntoIterator<Item = Expr>) -> Expr {
    joined(list, false, ExprKind::Either)
}

/// The expressions joined; `neutral` is what joining none gives.
fn joined(
    list: impl IntoIterator<Item = Expr>,
    neutral: bool,
    join: fn(Box<Expr>, Box<Expr>) -> ExprKind,
) -> Expr {
    let mut result: Option<Expr> = None;
    for e in list {
        match e.as_const() {
            Some(value) if (value != 0) == neutral => continue,
            Some(_) => return truth(!neutral),
            None => {}
        }
        result = Some(match result {
            None => e,
            Some(before) => Expr {
                kind: join(Box::new(before), Box::new(e)),
                ty: IntType::INT,
            },
        });
    }
    result.unwrap_or_else(|| truth(neutral))
}

/// A number of a type is at least `low` and at most `high`; bounds that the type has do not count.
pub(super) fn within(e: &Expr, low: i128, high: i128) -> Expr {
    let ty = e.ty;
    let above = (low > ty.min()).then(|| binary(Binary::Le, Expr::constant(low, ty), e.clone()));
    let below = (high < ty.max()).then(|| binary(Binary::Le, e.clone(), Expr::constant(high, ty)));
    all(above.into_iter().chain(below))
}
