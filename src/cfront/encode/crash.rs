//! What may end a run in the middle of a step.

use crate::cfront::ir::{Base, Binary, Expr, ExprKind, Instr, Lvalue};

/// What may end a run.
#[derive(Clone, Copy)]
pub(crate) enum Crash<'e> {
    /// Division by zero.
    Divisor(&'e Expr),
    /// An access by a pointer to nothing.
    Pointer(&'e Lvalue, &'e Expr),
}

/// Calls `visit` on what may end a run in an assignment.
pub(crate) fn for_each_crash<'e>(instr: &'e Instr, visit: &mut dyn FnMut(Crash<'e>)) {
    let Instr::Assign(place, e) = instr else {
        return;
    };
    let mut look = |part: &'e Expr| match &part.kind {
        ExprKind::Binary(Binary::Div | Binary::Rem, _, d) if d.as_const().is_none() => {
            visit(Crash::Divisor(d));
        }
        ExprKind::Load(place) => {
            if let Base::Deref(pointer, _) = &place.base {
                visit(Crash::Pointer(place, pointer));
            }
        }
        _ => {}
    };
    place.walk(&mut look);
    e.walk(&mut look);
    if let Base::Deref(pointer, _) = &place.base {
        visit(Crash::Pointer(place, pointer));
    }
}
