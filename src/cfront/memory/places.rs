//! The places that a step speaks of.

use crate::cfront::ir::{Base, Expr, ExprKind, Instr, Lvalue, ObjectId};
use crate::cfront::program::Program;
use rustc_hash::FxHashSet;

/// Calls `visit` on every place that a step reads or writes or takes the address of.
pub(crate) fn for_each_place<'i>(instr: &'i Instr, visit: &mut dyn FnMut(&'i Lvalue)) {
    let mut in_part = |part: &'i Expr| {
        if let ExprKind::Load(place) | ExprKind::Address(place) = &part.kind {
            visit(place);
        }
    };
    let (values, places) = instr.operands();
    values.into_iter().for_each(|e| e.walk(&mut in_part));
    for place in &places {
        place.walk(&mut in_part);
    }
    places.into_iter().for_each(visit);
}

/// Objects whose address is taken.
pub(super) fn addressed(program: &Program) -> FxHashSet<ObjectId> {
    let mut taken = FxHashSet::default();
    let mut look = |part: &Expr| {
        if let ExprKind::Address(place) = &part.kind
            && let Base::Object(object) = place.base
        {
            taken.insert(object);
        }
    };
    let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
    for edge in cfas.flat_map(|cfa| &cfa.edges) {
        let (values, places) = edge.instr.operands();
        values.into_iter().for_each(|e| e.walk(&mut look));
        places.into_iter().for_each(|place| place.walk(&mut look));
    }
    taken
}
