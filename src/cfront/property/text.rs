//! Measures as expressions of C.

use crate::cfront::ir::{Base, Binary, Expr, ExprKind, Lvalue, Step};
use crate::cfront::program::Program;

/// An expression as C has it, without conversions; `?` for parts that measures do not have.
pub(super) fn expr_text(program: &Program, e: &Expr) -> String {
    let text = |e: &Expr| expr_text(program, e);
    match &e.kind {
        ExprKind::Const(value) => value.to_string(),
        ExprKind::Convert(a) => text(a),
        ExprKind::Move(a, _, stride) if stride.container.is_some() => {
            format!("container_of({})", text(a))
        }
        ExprKind::Move(a, by, _) if by.as_const() == Some(0) => text(a),
        ExprKind::Move(a, by, _) => format!("{} + {}", text(a), text(by)),
        ExprKind::Load(place) => place_text(program, place),
        ExprKind::Address(place) => format!("&{}", place_text(program, place)),
        ExprKind::Binary(Binary::Sub, a, b) if a.as_const() == Some(0) => format!("-{}", text(b)),
        ExprKind::Binary(op, a, b) => {
            let sign = match op {
                Binary::Add => "+",
                Binary::Sub => "-",
                Binary::Mul => "*",
                _ => return "?".to_owned(),
            };
            let is_sum = |e: &Expr| {
                let mut e = e;
                while let ExprKind::Convert(inner) = &e.kind {
                    e = inner;
                }
                matches!(e.kind, ExprKind::Binary(..)) || e.as_const().is_some_and(|c| c < 0)
            };
            let right = match is_sum(b) {
                true => format!("({})", text(b)),
                false => text(b),
            };
            format!("{} {sign} {right}", text(a))
        }
        _ => "?".to_owned(),
    }
}

/// A place as C has it.
fn place_text(program: &Program, place: &Lvalue) -> String {
    let Base::Object(object) = place.base else {
        return "?".to_owned();
    };
    let mut name = program.object(object).name.to_string();
    for step in &place.path {
        match step {
            Step::Field(of, at) => {
                name.push('.');
                name.push_str(&program.structs.fields(*of)[*at].name);
            }
            Step::Index(index) => name.push_str(&format!("[{}]", expr_text(program, index))),
        }
    }
    name
}
