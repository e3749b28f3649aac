//! Memory that nothing points to at the end of the program, and that was not freed.
//!
//! When `main` has returned, memory is tracked by static variables alone. Where a pointer to it may
//! be in an array or in allocated memory, or where the program ends by a call in the middle of
//! others, it is not known here whether the memory is lost.

use super::access::{Accesses, error};
use super::build::{all, any, binary, load, not, variable};
use super::heap::Site;
use super::weave::Woven;
use crate::cfront::ir::{Binary, Expr, Instr, Lvalue, ObjectId, ObjectKind, Step};
use crate::cfront::memory::{Cell, Target};
use crate::cfront::types::{CType, IntType, Length};

/// The checks for memory that is lost at the end of the program, after `main` has returned or in
/// the middle of calls.
pub(super) fn lost(accesses: &Accesses<'_>, returned: bool) -> Vec<Woven> {
    let (program, heap) = (accesses.program, accesses.heap);
    let mut sites: Vec<(&ObjectId, &Site)> = heap.sites.iter().collect();
    sites.sort_unstable_by_key(|(object, _)| **object);
    let mut steps = Vec::new();
    for (object, site) in sites {
        if program.object(*object).automatic {
            continue;
        }
        let (holders, is_exact) = holders(accesses, *object);
        let held = holders.into_iter().map(|place| {
            let value = load(place, heap.word);
            all([
                binary(Binary::Le, variable(site.base, heap.word), value.clone()),
                binary(Binary::Lt, value, variable(site.end, heap.word)),
            ])
        });
        let lost = all([heap.is_there(*site), not(any(held))]);
        let end = match is_exact && returned {
            true => {
                let what = "memory is lost: nothing points to it, and it was not freed";
                error(super::Property::ValidMemtrack, what)
            }
            false => {
                Instr::Unsupported("whether memory that is not freed is still pointed to".into())
            }
        };
        steps.push(Woven::Fail(lost, end));
    }
    if let Some(live) = heap.live {
        let zero = Expr::constant(0, heap.word);
        let left = binary(Binary::Ne, variable(live, heap.word), zero);
        let what = "whether memory of a place that allocates again and again is still pointed to";
        steps.push(Woven::Fail(left, Instr::Unsupported(what.into())));
    }
    steps
}

/// The static scalars that may point to an object, and whether nothing else may at the end.
fn holders(accesses: &Accesses<'_>, object: ObjectId) -> (Vec<Lvalue>, bool) {
    let (program, points_to) = (accesses.program, &accesses.memory.points_to);
    let (mut places, mut is_exact) = (Vec::new(), true);
    // Variables of the checks come after those of the program.
    for (at, leaves) in points_to.leaves.iter().enumerate() {
        let holder = ObjectId(at);
        for (leaf, info) in leaves.iter().enumerate() {
            let cell = Cell {
                object: holder,
                leaf,
            };
            let holds = points_to.held_by(cell).any(|target| match target {
                Target::Cell(cell) => cell.object == object,
                Target::Function(_) => false,
            });
            if !holds {
                continue;
            }
            match program.object(holder).kind {
                // Variables of calls are gone.
                ObjectKind::Local(_) => {}
                ObjectKind::Static if !info.in_array && info.ty.is_pointer() => {
                    places.extend(place_of(accesses, holder, info.offset, &info.ty));
                }
                _ => is_exact = false,
            }
        }
    }
    (places, is_exact)
}

/// The scalar at an offset in an object without arrays before it.
fn place_of(accesses: &Accesses<'_>, object: ObjectId, offset: u64, ty: &CType) -> Option<Lvalue> {
    let structs = &accesses.program.structs;
    let mut place = Lvalue::of(object, accesses.program.object(object).ty.clone());
    let mut left = offset;
    loop {
        match place.ty.clone() {
            CType::Struct(id) => {
                let mut inner = None;
                for (at, field) in structs.fields(id).iter().enumerate() {
                    let units = structs.units(&field.ty);
                    if left < units {
                        inner = Some((at, field.ty.clone()));
                        break;
                    }
                    left -= units;
                }
                let (at, field) = inner?;
                place = place.field(id, at, field);
            }
            CType::Array(element, Length::Constant(_)) => {
                let units = structs.units(&element).max(1);
                let index = Expr::constant(i128::from(left / units), IntType::INT);
                left %= units;
                place.path.push(Step::Index(index));
                place.ty = (*element).clone();
            }
            found => return (left == 0 && found == *ty).then_some(place),
        }
    }
}
