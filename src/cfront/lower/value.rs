//! What an expression is lowered to.

use crate::cfront::ir::{Expr, Lvalue};
use crate::cfront::types::CType;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// An integer or a pointer, and its type.
    Scalar(Expr, CType),
    /// A structure: where it is.
    Struct(Lvalue),
    /// None.
    Void,
}

impl Value {
    pub(super) fn ty(&self) -> CType {
        match self {
            Value::Scalar(_, ty) => ty.clone(),
            Value::Struct(place) => place.ty.clone(),
            Value::Void => CType::Void,
        }
    }
}
