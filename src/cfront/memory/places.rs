//! The places that a step speaks of.

use crate::cfront::ir::{Argument, Callee, Expr, ExprKind, Instr, Lvalue, Mark};

/// Calls `visit` on every place that a step reads or writes or takes the address of.
pub(crate) fn for_each_place<'i>(instr: &'i Instr, visit: &mut dyn FnMut(&'i Lvalue)) {
    let mut in_expr = |e: &'i Expr| {
        e.walk(&mut |part| {
            if let ExprKind::Load(place) | ExprKind::Address(place) = &part.kind {
                visit(place);
            }
        });
    };
    let mut own = Vec::new();
    match instr {
        Instr::Assume(e, _) | Instr::Mark(Mark::Free(e) | Mark::Unused(e)) => in_expr(e),
        Instr::Skip
        | Instr::Enter(_)
        | Instr::Leave(_)
        | Instr::Error(_)
        | Instr::Unsupported(_)
        | Instr::Mark(_) => {}
        Instr::Assign(place, e) | Instr::Fill(place, e) | Instr::Allocate(place, _, e) => {
            place.walk(&mut |part| {
                if let ExprKind::Load(place) | ExprKind::Address(place) = &part.kind {
                    own.push(&**place);
                }
            });
            in_expr(e);
            own.push(place);
        }
        Instr::Havoc(place, _) => {
            place.walk(&mut |part| {
                if let ExprKind::Load(place) | ExprKind::Address(place) = &part.kind {
                    own.push(&**place);
                }
            });
            own.push(place);
        }
        Instr::Call(callee, arguments, result) => {
            if let Callee::Pointer(e) = callee {
                in_expr(e);
            }
            for argument in arguments {
                match argument {
                    Argument::Scalar(e) => in_expr(e),
                    Argument::Struct(place) => own.push(place),
                }
            }
            own.extend(result);
        }
    }
    own.into_iter().for_each(visit);
}
