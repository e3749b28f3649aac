//! What an expression is lowered to.

use crate::cfront::ir::{Expr, Lvalue};
use crate::cfront::types::CType;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum ExprValue {
    /// An integer or a pointer, and its type.
    Scalar(Expr, CType),
    /// A structure: where it is.
    Struct(Lvalue),
    /// None.
    Void,
}

impl ExprValue {
    /// A number of an arithmetic type.
    pub(super) fn number(e: Expr) -> ExprValue {
        let ty = CType::of_numbers(e.ty);
        ExprValue::Scalar(e, ty)
    }

    pub(super) fn ty(&self) -> CType {
        match self {
            ExprValue::Scalar(_, ty) => ty.clone(),
            ExprValue::Struct(place) => place.ty.clone(),
            ExprValue::Void => CType::Void,
        }
    }
}
