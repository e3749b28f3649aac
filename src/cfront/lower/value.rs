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
    pub(super) fn ty(&self) -> CType {
        match self {
            ExprValue::Scalar(_, ty) => ty.clone(),
            ExprValue::Struct(place) => place.ty.clone(),
            ExprValue::Void => CType::Void,
        }
    }
}
